import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo, visit } from './console-page.js';
import { shoot } from './screenshots.js';
import { shows, type Stage } from './stage.js';

/** An address that nobody is at: a message that is sent there fails at once. */
const NOWHERE = 'https://127.0.0.1:1/hook';

/** Operators say what they are told of and where, try it, and find what they were told. */
export function describeAlerts(stage: Stage): void {
  describe('alerts', () => {
    it('go where an administrator says, which a test shows', async () => {
      const { page } = stage;
      await goTo(page, 'Alerts');
      await page.getByRole('button', { name: 'Send a test' }).click();
      expect(await shows(page.getByText('Nothing was sent: neither a webhook'))).toBe(true);
      const form = page.getByRole('dialog', { name: 'Alert settings' });
      const open = () => page.getByRole('button', { name: 'Change the settings' }).click();
      await open();
      await form.getByLabel('Failed attempts in ten minutes').fill('no number');
      await form.getByLabel('Recipients').fill('operators@example.com\nnobody');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByRole('alert').first().waitFor();
      expect(await form.getByLabel('Recipients').getAttribute('aria-invalid')).toBe('true');
      await form.getByLabel('Recipients').fill('operators@example.com\nnights@example.com');
      await form.getByRole('alert').nth(1).waitFor({ state: 'hidden' });
      expect(await form.getByLabel('Failed attempts in ten minutes').getAttribute('aria-invalid')).toBe(
        'true',
      );
      await form.getByLabel('Failed attempts in ten minutes').fill('7');
      await form.getByLabel('Ledger drift').uncheck();
      await form.getByLabel('Address of the webhook').fill(NOWHERE);
      await shoot(page, 'alert-settings');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'hidden' });
      expect(await shows(page.getByText('https://127.0.0.1:1', { exact: true }))).toBe(true);
      expect(await shows(page.getByText('from 7 failed attempts in ten minutes', { exact: true }))).toBe(
        true,
      );
      expect(await page.getByRole('main').innerText()).not.toContain('/hook');
      await page.getByRole('button', { name: 'Send a test' }).click();
      expect(await shows(page.getByRole('status').getByText(/^Webhook: (?!sent)/))).toBe(true);
      await open();
      expect(await shows(form.getByText('Now https://127.0.0.1:1 (leave empty to keep it)'))).toBe(true);
      expect(await form.getByLabel('Ledger drift').isChecked()).toBe(false);
      await form.getByLabel('Ledger drift').check();
      await form.getByLabel('Remove this webhook').check();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.waitFor({ state: 'hidden' });
      await page.getByText('https://127.0.0.1:1', { exact: true }).waitFor({ state: 'hidden' });
    });

    it('are signed with a secret that is shown on request alone', async () => {
      const { page } = stage;
      await goTo(page, 'Alerts');
      await page.getByRole('button', { name: 'Signing secret' }).click();
      const dialog = page.getByRole('dialog', { name: 'Signing secret' });
      expect(await dialog.innerText()).not.toContain('whsec_');
      await dialog.getByRole('button', { name: 'Show the secret' }).click();
      expect(await shows(dialog.getByText(/^whsec_/))).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    });

    it('tell of a wallet that has less left than it should have, and lead to it', async () => {
      const { page } = stage;
      await goTo(page, 'Alerts');
      const alert = page.getByRole('button', {
        name: /^Open: Low balance: Wallet .* together less than \$900,000/,
      });
      expect(await shows(alert)).toBe(true);
      await shoot(page, 'alerts-open');
      await alert.click();
      const drawer = page.getByRole('dialog', { name: 'Low balance' });
      expect(await shows(drawer.getByText('Nothing was sent'))).toBe(true);
      await shoot(page, 'alert');
      await drawer.getByRole('link', { name: 'first' }).click();
      expect(await shows(page.getByText('alert below $900,000'))).toBe(true);
      await visit(page, '/alerts?state=resolved&kind=wallet_balance');
      await page.getByText('No alerts to show').waitFor();
      await setThreshold(page, '');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });
  });
}

/** How much a wallet should have left: the watch looks every quarter of a minute, while other stories go on. */
export function describeThreshold(stage: Stage): void {
  it('a wallet that keys have spent from says with how much left it is told of', async () => {
    const { page } = stage;
    const form = page.getByRole('dialog', { name: /^Limits of/ });
    await setThreshold(page, 'plenty');
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Alert below, USD').getAttribute('aria-invalid')).toBe('true');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await setThreshold(page, '900000');
    await form.waitFor({ state: 'hidden' });
  });
}

async function setThreshold(page: Page, usd: string): Promise<void> {
  await goTo(page, 'Wallets');
  const row = page.getByRole('row', { name: /^first / });
  await row.getByRole('button', { name: 'Limits', exact: true }).click();
  const form = page.getByRole('dialog', { name: /^Limits of/ });
  await form.getByLabel('Alert below, USD').fill(usd);
  await form.getByRole('button', { name: 'Save' }).click();
}
