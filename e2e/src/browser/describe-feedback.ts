import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { goTo, NARROW, openSignedIn } from './console-page.js';
import { shows, type Stage } from './stage.js';

const MEMBER = { email: 'member@example.com', password: 'a password of eight' };

/** Waits for a toast where a screen reader reads it out, over dialogs too, and closes it. */
async function expectToast(
  on: Page,
  text: string,
  { region, close } = { region: 'Notifications', close: 'Close the notification' },
): Promise<void> {
  const toast = on.getByRole('region', { name: region }).getByRole('group').filter({ hasText: text });
  await toast.waitFor();
  expect(await on.getByRole('region', { name: region }).getAttribute('aria-live')).toBe('polite');
  await toast.getByLabel(close).click();
  await toast.waitFor({ state: 'detached' });
}

/** Makes a key on the view that lists them. */
async function makeKeyByForm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByTestId('new-key').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
}

/** What was done is told by a toast, also where a second factor is set up and a key is disabled. */
export function describeFeedback(stage: Stage): void {
  describe('what was done', () => {
    // Without the toasts of earlier stories.
    beforeAll(async () => {
      await stage.page.goto('/users');
    });

    it('is told by a toast: a key that was made, changed, rotated and deleted', async () => {
      const { page, product } = stage;
      await goTo(page, 'API keys');
      await makeKeyByForm(page, 'told');
      await expectToast(page, '“told” was created.');
      const actions = page.getByRole('group', { name: 'Actions for told' });
      await actions.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('Spending limit').fill('5');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectToast(page, '“told” was saved.');
      await actions.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      // Over the dialog that shows the new key.
      await page.getByTestId('new-key').waitFor();
      await expectToast(page, '“told” has a new key; the old one has stopped.');
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await actions.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expectToast(page, '“told” was deleted.');
      expect(product.errors).toEqual([]);
    });

    it('is reached and closed by the keyboard, and what failed stays in its form', async () => {
      const { page, product } = stage;
      await goTo(page, 'Users');
      const newUser = page.getByRole('button', { name: 'New user' });
      await newUser.click();
      const form = page.getByRole('dialog', { name: 'New user' });
      await form.getByLabel('E-mail address').fill(product.admin.email);
      await form.getByLabel('Password').fill(MEMBER.password);
      await form.getByRole('button', { name: 'Create' }).click();
      expect(await shows(form.getByText('There is a user of this address.'))).toBe(true);
      expect(await page.getByLabel('Close the notification').count()).toBe(0);
      await form.getByLabel('E-mail address').fill(MEMBER.email);
      await form.getByRole('button', { name: 'Create' }).click();
      await page.getByLabel('Close the notification').waitFor();
      await page.keyboard.press('F6');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await page.getByLabel('Close the notification').waitFor({ state: 'detached' });
    });

    it('is told on a phone and in Chinese, within the screen', async () => {
      const { product } = stage;
      const phone = await product.openPage({ viewport: NARROW, locale: 'zh-CN' });
      await phone.goto('/account');
      await phone.getByLabel('邮箱地址').fill(MEMBER.email);
      await phone.getByLabel('密码').fill(MEMBER.password);
      await phone.getByRole('button', { name: '登录' }).click();
      await phone.getByLabel('当前密码').fill(MEMBER.password);
      MEMBER.password = 'another password of eight';
      await phone.getByLabel('新密码').fill(MEMBER.password);
      await phone.getByRole('button', { name: '修改' }).click();
      const toast = phone.getByRole('region', { name: '通知' }).getByRole('group');
      await toast.waitFor();
      const box = await toast.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(NARROW.width);
      // Buttons of dialogs are at the bottom.
      expect(box?.y).toBeLessThan(NARROW.height / 4);
      await expectToast(phone, '密码已修改。', { region: '通知', close: '关闭通知' });
      await phone.context().close();
    });
  });

  describe('a second factor', () => {
    it('is scanned as a QR code, which is loaded then alone and sent nowhere', async () => {
      const { product } = stage;
      const theirs = await openSignedIn(product, MEMBER);
      const asked: string[] = [];
      theirs.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
      await theirs.goto('/account');
      await theirs.getByRole('button', { name: 'Set it up' }).waitFor();
      expect(asked.some((request) => request.includes('/qr-code-'))).toBe(false);
      await theirs.getByRole('button', { name: 'Set it up' }).click();
      const dialog = theirs.getByRole('dialog');
      await dialog.getByLabel('Current password').fill(MEMBER.password);
      await dialog.getByRole('button', { name: 'Next' }).click();
      const code = dialog.getByRole('img', { name: 'QR code for the authenticator app' });
      await code.waitFor();
      expect((await code.boundingBox())?.width).toBeGreaterThan(150);
      const secret = (await dialog.getByLabel('Secret', { exact: true }).innerText()).trim();
      expect(asked.some((request) => request.includes('/qr-code-'))).toBe(true);
      expect(asked.filter((request) => request.includes(secret))).toEqual([]);
      await theirs.context().close();
      expect(product.errors).toEqual([]);
    });
  });

  describe('a key that an administrator has disabled', () => {
    it('is shown to its user as one that they cannot enable', async () => {
      const { page, product } = stage;
      const theirs = await openSignedIn(product, MEMBER);
      await theirs.goto('/tokens');
      await theirs.getByRole('button', { name: 'New key' }).first().click();
      await theirs.getByRole('dialog').getByLabel('Name').fill('of the member');
      await theirs.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await theirs.getByRole('button', { name: 'I have copied it' }).click();
      await page.goto('/tokens');
      const actions = page.getByRole('group', { name: 'Actions for of the member' });
      await actions.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Enabled: when off, calls with it are refused').uncheck();
      await page.getByRole('button', { name: 'Save' }).click();
      await expectToast(page, '“of the member” was saved.');
      await theirs.reload();
      await theirs
        .getByRole('group', { name: 'Actions for of the member' })
        .getByRole('button', { name: 'Edit' })
        .click();
      const box = theirs.getByLabel('Enabled: when off, calls with it are refused');
      expect([await box.isChecked(), await box.isDisabled()]).toEqual([false, true]);
      expect(await shows(theirs.getByText('By an administrator: only administrators can enable it.'))).toBe(
        true,
      );
      // Everything else may still be changed.
      await theirs.getByLabel('Spending limit').fill('3');
      await theirs.getByRole('button', { name: 'Save' }).click();
      await expectToast(theirs, '“of the member” was saved.');
      await theirs.context().close();
    });
  });
}
