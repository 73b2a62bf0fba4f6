import { describe, expect, it } from 'vitest';
import { NARROW, signIn, WIDE } from './console-page.js';
import { findViolations } from './find-violations.js';
import { measureShift, MOST_SHIFT } from './measure-shift.js';
import type { Stage } from './stage.js';
import { VIEWS } from './views.js';

/** Those that people look at every day. */
const MAIN_VIEWS = VIEWS.filter(([name]) =>
  ['overview', 'tokens', 'wallets', 'logs', 'alerts'].includes(name),
);

/** Nothing moves under the pointer, and axe finds nothing; `npm run screenshots -- --matrix` looks at every view in every size. */
export function describeShifts(stage: Stage): void {
  describe('the main views', () => {
    it.each([
      ['a wide screen', WIDE],
      ['a phone', NARROW],
    ] as const)(
      'stay where they are when data comes late, without a finding of axe, on %s',
      async (_on, viewport) => {
        const page = await stage.product.openPage({ viewport });
        await signIn(page, stage.product.admin);
        const faults: string[] = [];
        for (const [name, path, ready] of MAIN_VIEWS) {
          const shift = await measureShift(page, path, ready);
          if (shift > MOST_SHIFT) faults.push(`${name} shifts by ${shift}`);
          faults.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`));
        }
        expect(faults).toEqual([]);
        await page.context().close();
      },
    );
  });
}
