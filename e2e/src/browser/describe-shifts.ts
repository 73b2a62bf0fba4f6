import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NARROW, openSignedIn, WIDE } from './console-page.js';
import { measureShift, MOST_SHIFT } from './measure-shift.js';
import type { Stage } from './stage.js';
import { VIEWS } from './views.js';

/** Those that people look at every day. */
const MAIN_VIEWS = VIEWS.filter(([name]) =>
  ['overview', 'tokens', 'wallets', 'logs', 'alerts'].includes(name),
);

/** Nothing moves under the pointer; `npm run screenshots -- --matrix` measures every view, and has axe look at it. */
export function describeShifts(stage: Stage): void {
  describe('the main views', () => {
    let page: Page;

    beforeAll(async () => {
      page = await openSignedIn(stage.product, stage.product.admin);
    });

    afterAll(() => page?.context().close());

    it.each([
      ['a wide screen', WIDE],
      ['a phone', NARROW],
    ] as const)('stay where they are when data comes late, on %s', async (_on, viewport) => {
      await page.setViewportSize(viewport);
      const faults: string[] = [];
      for (const [name, path, ready] of MAIN_VIEWS) {
        const shift = await measureShift(page, path, ready);
        if (shift > MOST_SHIFT) faults.push(`${name} shifts by ${shift}`);
      }
      expect(faults).toEqual([]);
    });
  });
}
