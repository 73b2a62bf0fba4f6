import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signIn } from './console-page.js';
import { shoot } from './screenshots.js';
import { shows, type Stage } from './stage.js';

const REQUEST_ID = '0199a000-0000-7000-8000-00000000c0de';

/** What became of an action is told beside the page, and read out. */
export function describeToasts(stage: Stage): void {
  describe('a toast', () => {
    it('says what was done, and goes by itself', async () => {
      const other = await openAccount(stage);
      const page = await openAccount(stage);
      const announcement = announced(page, 'polite', 'Notification The session has ended.');
      await endOtherSession(page);
      const toast = toastsOf(page).filter({ hasText: 'The session has ended.' });
      await toast.waitFor();
      await announcement;
      await shoot(page, 'toast');
      await toast.waitFor({ state: 'detached' });
      expect(await toastsOf(page).count()).toBe(0);
      await page.context().close();
      await other.context().close();
    });

    it('keeps what failed, with its request id, until it is closed by the keyboard', async () => {
      const other = await openAccount(stage);
      const page = await openAccount(stage);
      await page.route('**/api/v1/me/sessions/*', (route) =>
        route.fulfill({
          status: 409,
          json: {
            detail: { code: 'conflict', message: 'It is not to be.', request_id: REQUEST_ID, type: 'x' },
          },
        }),
      );
      const announcement = announced(page, 'assertive', 'It is not to be.');
      await endOtherSession(page);
      const toast = toastsOf(page).filter({ hasText: 'It is not to be.' });
      await toast.waitFor();
      expect(await toast.innerText()).toContain(REQUEST_ID);
      await announcement;
      await page.keyboard.press('F8');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await toast.waitFor({ state: 'detached' });
      expect(await shows(page.getByRole('heading', { name: 'Account', level: 1 }))).toBe(true);
      await page.context().close();
      await other.context().close();
    });
  });
}

async function openAccount(stage: Stage): Promise<Page> {
  const page = await stage.product.openPage();
  await signIn(page, stage.product.admin);
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  return page;
}

/** Of the newest session that is not the page's own. */
function endOtherSession(page: Page): Promise<void> {
  return page
    .getByRole('button', { name: /^End the session of/ })
    .first()
    .click();
}

/** Waits for a text that screen readers are given for a second, beside the toast itself. */
function announced(page: Page, politeness: 'polite' | 'assertive', text: string): Promise<void> {
  return page
    .locator(`[role=status][aria-live=${politeness}]`, { hasText: text })
    .waitFor({ state: 'attached' });
}

function toastsOf(page: Page) {
  return page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem');
}
