import { describe, expect, it } from 'vitest';
import { NARROW, signIn, WIDE } from './console-page.js';
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
    it.each([
      ['a wide screen', WIDE],
      ['a phone', NARROW],
    ] as const)('stay where they are when data comes late, on %s', async (_on, viewport) => {
      const page = await stage.product.openPage({ viewport });
      await signIn(page, stage.product.admin);
      const faults: string[] = [];
      for (const [name, path, ready] of MAIN_VIEWS) {
        const shift = await measureShift(page, path, ready);
        if (shift > MOST_SHIFT) faults.push(`${name} shifts by ${shift}`);
      }
      expect(faults).toEqual([]);
      await page.context().close();
    });
  });
}
