import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenRow } from '../clients/console-client.js';
import { NARROW, openSignedIn, WIDE } from './console-page.js';
import { measureShift, MOST_SHIFT } from './measure-shift.js';
import { NEXT_FRAME } from './screenshots.js';
import { shows, type Stage } from './stage.js';
import { VIEWS } from './views.js';

/** Those that people look at every day. */
const MAIN_VIEWS = VIEWS.filter(([name]) =>
  ['overview', 'tokens', 'wallets', 'logs', 'alerts'].includes(name),
);

const BUDGETS_AFTER_MS = 500;
const LINK = 'See all keys';

/** Notes, from now on and frame by frame, where the link stands on the page. */
const WATCH_LINK = `(() => {
  globalThis.placesOfLink = new Set();
  const look = () => {
    const link = [...document.querySelectorAll('a')].find((anchor) => anchor.textContent === '${LINK}');
    if (link) placesOfLink.add(Math.round(link.getBoundingClientRect().top + scrollY));
    requestAnimationFrame(look);
  };
  look();
})()`;

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

    it('a link below keys stays where it is when their budgets come late, so that a click meets it', async () => {
      const budgeted = { name: 'budgeted by the day', budgets: { day: '100' } };
      const key = await stage.api.demand<TokenRow & { readonly user_id: string }>(
        'POST',
        '/tokens',
        budgeted,
      );
      await page.setViewportSize(WIDE);
      await page.route('**/api/v1/budgets?*', async (route) => {
        await sleep(BUDGETS_AFTER_MS);
        await route.continue();
      });
      await page.goto(`/users/${key.user_id}`);
      await page.evaluate(WATCH_LINK);
      expect(await shows(page.getByRole('row', { name: /budgeted by the day.*Daily budget/ }))).toBe(true);
      expect(await shows(page.getByRole('link', { name: LINK }))).toBe(true);
      await page.evaluate(NEXT_FRAME);
      expect(await page.evaluate<number>('placesOfLink.size')).toBe(1);
      await page.unrouteAll({ behavior: 'wait' });
    });
  });
}
