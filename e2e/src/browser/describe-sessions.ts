import { describe, expect, it } from 'vitest';
import { openSignedIn } from './console-page.js';
import { shows, type Stage } from './stage.js';

/** Where somebody is signed in, and how that is ended from elsewhere. */
export function describeSessions(stage: Stage): void {
  describe('sessions', () => {
    it('are shared with a tab that is opened beside another, and end for both', async () => {
      const { product } = stage;
      const first = await openSignedIn(product, product.admin);
      await first.goto('/users');
      await first.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
      const second = await first.context().newPage();
      await second.goto('/channels');
      expect(await shows(second.getByRole('heading', { name: 'Channels', level: 1 }))).toBe(true);
      await second.getByRole('button', { name: 'Sign out' }).click();
      await second.getByRole('button', { name: 'Sign in' }).waitFor();
      await first.reload();
      expect(await shows(first.getByRole('button', { name: 'Sign in' }))).toBe(true);
      await first.context().close();
    });

    it('are listed, and end where they are ended from elsewhere', async () => {
      const { page, product } = stage;
      const lost = await openSignedIn(product, product.admin);
      await page.goto('/account');
      expect(await shows(page.getByText('this session'))).toBe(true);
      const end = page.getByRole('button', { name: /^End the session of/ });
      await end.first().waitFor();
      // Sessions of earlier tests go on, too; the newest is the one of the page that was opened last.
      const before = await end.count();
      await end.first().click();
      await end.nth(before - 1).waitFor({ state: 'detached' });
      await lost.goto('/users');
      expect(await shows(lost.getByRole('button', { name: 'Sign in' }))).toBe(true);
      await lost.context().close();
    });
  });
}
