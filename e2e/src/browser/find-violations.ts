import { omitUndefined } from '@mg/contract';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** All that axe looks for, or contrast alone: the one thing that differs between light and dark. */
export type Scope = 'everything' | 'contrast';

interface Violation {
  readonly id: string;
  readonly targets: readonly string[];
}

/** What axe (https://github.com/dequelabs/axe-core) finds wrong with what a page shows: its rule and where. */
export async function findViolations(page: Page, scope: Scope = 'everything'): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const options = omitUndefined({
    resultTypes: ['violations'],
    runOnly: scope === 'contrast' ? ['color-contrast'] : undefined,
  });
  const violations = await page.evaluate<Violation[]>(`axe.run(document, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) })))`);
  return violations.map(({ id, targets }) => `axe ${id}: ${targets.slice(0, 3).join(' | ')}`);
}
