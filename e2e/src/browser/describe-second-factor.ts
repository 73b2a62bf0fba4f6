import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo, NARROW, openSignedIn, visit } from './console-page.js';
import { shoot } from './screenshots.js';
import { makeMember, shows, type Stage } from './stage.js';

const USER = { email: 'careful@example.com', password: 'a careful password' };

/** A second factor as its user meets it: set up, asked for, replaced by a recovery code, taken away. */
export function describeSecondFactor(stage: Stage): void {
  describe('a second factor', () => {
    let theirs: Page;
    let secret: string;
    let recoveryCodes: readonly string[];

    it('is set up on the page of the account, and shows its recovery codes once', async () => {
      await makeMember(stage, USER);
      theirs = await openSignedIn(stage.product, USER);
      await theirs.goto('/account');
      await theirs.getByText('Off: the password alone signs in.').waitFor();
      await theirs.getByRole('button', { name: 'Set it up' }).click();
      const dialog = theirs.getByRole('dialog');
      await dialog.getByLabel('Current password').fill('not the password');
      await dialog.getByRole('button', { name: 'Next' }).click();
      expect(await shows(dialog.getByText('Is wrong.'))).toBe(true);
      await dialog.getByLabel('Current password').fill(USER.password);
      await dialog.getByRole('button', { name: 'Next' }).click();
      secret = (await dialog.getByLabel('Secret', { exact: true }).innerText()).trim();
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(await dialog.getByLabel('Link for the app', { exact: true }).innerText()).toContain(
        `secret=${secret}`,
      );
      await shoot(theirs, 'second-factor');
      await theirs.keyboard.press('Escape');
      await theirs.mouse.click(5, 5);
      await dialog.getByLabel('Code').fill(codeOf(secret));
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      const codes = dialog.getByLabel('Recovery codes', { exact: true });
      recoveryCodes = (await codes.innerText()).trim().split('\n');
      expect(new Set(recoveryCodes).size).toBe(10);
      await theirs.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'I have kept them' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await shows(theirs.getByText('Recovery codes left'))).toBe(true);
      await theirs.context().close();
    });

    it('is asked for after the password, says what is wrong, and takes a recovery code', async () => {
      theirs = await stage.product.openPage({ viewport: NARROW });
      await enterPassword(theirs);
      const code = theirs.getByLabel('Code');
      await code.waitFor();
      expect(await theirs.getByRole('alert').count()).toBe(0);
      await shoot(theirs, 'second-step');
      await theirs.getByRole('button', { name: 'Back' }).click();
      await theirs.getByRole('button', { name: 'Sign in' }).click();
      await code.fill('not a code');
      await theirs.getByRole('button', { name: 'Sign in' }).click();
      expect(await shows(theirs.getByText('Is wrong or was used already.'))).toBe(true);
      expect(await code.getAttribute('aria-invalid')).toBe('true');
      await code.fill(recoveryCodes[0] ?? '');
      await theirs.getByRole('button', { name: 'Sign in' }).click();
      await theirs.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    });

    it('is disabled by the password and a code', async () => {
      await visit(theirs, '/account');
      await theirs.getByRole('button', { name: 'Disable' }).click();
      const dialog = theirs.getByRole('dialog');
      await dialog.getByLabel('Current password').fill(USER.password);
      await dialog.getByLabel('Code').fill(recoveryCodes[1] ?? '');
      await dialog.getByRole('button', { name: 'Disable' }).click();
      expect(await shows(theirs.getByText('Off: the password alone signs in.'))).toBe(true);
      await theirs.context().close();
    });

    it('is taken away by an administrator on the page of the user, whose sessions end', async () => {
      const { page, product } = stage;
      theirs = await product.openPage({ locale: 'zh-CN' });
      await enterPassword(theirs, { email: '邮箱地址', password: '密码', submit: '登录' });
      await theirs.getByRole('navigation').waitFor();
      await visit(theirs, '/account');
      await theirs.getByRole('button', { name: '启用' }).click();
      const dialog = theirs.getByRole('dialog');
      await dialog.getByLabel('当前密码').fill(USER.password);
      await dialog.getByRole('button', { name: '下一步' }).click();
      const newSecret = (await dialog.getByLabel('密钥', { exact: true }).innerText()).trim();
      expect(newSecret).not.toBe(secret);
      await dialog.getByLabel('验证码').fill(codeOf(newSecret));
      await dialog.getByRole('button', { name: '确认' }).click();
      await dialog.getByRole('button', { name: '我已保存' }).click();

      await goTo(page, 'Users');
      await page.getByRole('link', { name: USER.email, exact: true }).click();
      await page.getByRole('button', { name: 'Take it away' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take it away' }).click();
      await page.getByText('Off: the password alone signs in.').waitFor();
      expect(await shows(page.getByText('took a second factor away').first())).toBe(true);
      await waitUntil('their session over', async () => {
        await theirs.goto('/account');
        return theirs.getByRole('button', { name: '登录' }).isVisible();
      });
      await theirs.context().close();
    });
  });
}

function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

async function enterPassword(
  page: Page,
  names = { email: 'E-mail address', password: 'Password', submit: 'Sign in' },
): Promise<void> {
  await page.goto('/');
  await page.getByLabel(names.email).fill(USER.email);
  await page.getByLabel(names.password).fill(USER.password);
  await page.getByRole('button', { name: names.submit }).click();
}
