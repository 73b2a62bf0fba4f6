import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { goTo, NARROW, openSignedIn, visit } from './console-page.js';
import { findFaults } from './find-faults.js';
import { shows, type Stage } from './stage.js';
import { VIEWS } from './views.js';

/** What the Tab key comes by, from the top of the page to the button that is looked for. */
const WAY_TO_NEW_KEY = [
  'Skip to the content',
  'Search',
  'Overview',
  'Playground',
  'API keys',
  'Logs',
  'Wallets',
  'Projects',
  'Video tasks',
  'Models',
  'Channels',
  'Users',
  'Redemption codes',
  'Audit log',
  'Waste',
  'System health',
  'Alerts',
  'Settings',
  'Language',
  'Appearance',
  'Time zone',
  'admin@example.com',
  'Sign out',
  'Connect',
  'New key',
];

/** Name of what has the focus, as it is read out. */
function nameFocused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: element } = document;
    return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent.trim();
  })()`);
}

async function pressUntilFocused(page: Page, key: string, name: string): Promise<string[]> {
  const passed: string[] = [];
  while (passed.at(-1) !== name && passed.length < 60) {
    await page.keyboard.press(key);
    passed.push(await nameFocused(page));
  }
  return passed;
}

/** Types of channels that between them have every setting that there is. */
const TYPES_WITH_SETTINGS = ['azure-openai', 'bedrock', 'openai-compatible', 'vertex'];

/** Words that Chinese readers write like everybody else. */
const NAMES = new Set(['Token', 'curl', 'Python', 'Node']);

/** Texts of the view, apart from the rows' own, that hold no Chinese character. */
async function listUntranslated(page: Page): Promise<string[]> {
  const texts = await page
    .getByRole('main')
    .locator('h1, h2, h3, th, label, button:not(td *), p:not(td *)')
    .allInnerTexts();
  return texts.filter(
    (text) => !NAMES.has(text) && /\p{Script=Latin}{3,}/u.test(text) && !/\p{Script=Han}/u.test(text),
  );
}

/** The page for those who have no mouse, read Chinese, or hold a phone. */
export function describeReach(stage: Stage): void {
  describe('the keyboard alone', () => {
    let page: Page;

    beforeAll(async () => {
      page = await stage.product.openPage();
    });

    afterAll(() => page?.context().close());

    it('signs in, walks a view in order, makes a key and gives the focus back', async () => {
      await page.goto('/tokens');
      await page.getByLabel('E-mail address').waitFor();
      await page.keyboard.type(stage.product.admin.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(stage.product.admin.password);
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: 'Actions for first' }).waitFor();
      expect(await pressUntilFocused(page, 'Tab', 'New key')).toEqual(WAY_TO_NEW_KEY);

      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'New API key' }).waitFor();
      expect(await nameFocused(page)).toBe('New API key');
      expect(await pressUntilFocused(page, 'Tab', 'Name')).toEqual(['Close', 'Name']);
      await page.keyboard.type('by keyboard');
      await page.keyboard.press('Enter');
      await page.getByTestId('new-key').waitFor();
      await pressUntilFocused(page, 'Tab', 'I have copied it');
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: 'Actions for by keyboard' }).waitFor();

      await pressUntilFocused(page, 'Tab', 'Rotate');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: /new key\?/ }).waitFor();
      await page.keyboard.press('Escape');
      await waitUntil('the focus back on the button', async () => (await nameFocused(page)) === 'Rotate');
    });

    it('skips the navigation', async () => {
      await page.goto('/');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.keyboard.press('Tab');
      expect(await nameFocused(page)).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await nameFocused(page)).toBe('24 hours');
    });
  });

  describe('Chinese', () => {
    it('is chosen once, kept, and spoken by every view', async () => {
      const page = await stage.product.openPage();
      await page.goto('/login');
      await page.getByLabel('Language').selectOption('zh');
      await page.getByRole('heading', { name: '登录' }).waitFor();
      await page.getByLabel('邮箱地址').fill(stage.product.admin.email);
      await page.getByLabel('密码').fill(stage.product.admin.password);
      await page.getByRole('button', { name: '登录' }).click();
      await page.getByRole('navigation').waitFor();
      const untranslated: string[] = [];
      for (const [view, path, selector] of VIEWS) {
        await goTo(page, await page.locator(`nav a[href='${path}']`).innerText());
        await page.locator(selector).first().waitFor();
        untranslated.push(...(await listUntranslated(page)).map((text) => `${view}: ${text}`));
      }
      expect(untranslated).toEqual([]);
      expect(await page.evaluate('document.documentElement.lang')).toMatch(/^zh/);

      await visit(page, '/channels');
      await page.getByRole('button', { name: '新建渠道' }).click();
      const form = page.getByRole('dialog', { name: '新建渠道' });
      const labels: string[] = [];
      for (const type of TYPES_WITH_SETTINGS) {
        await form.getByLabel('类型').selectOption(type);
        labels.push(...(await form.locator('label, summary').allTextContents()));
      }
      expect(labels).toContain('访问密钥 ID');
      expect(labels.filter((label) => !/\p{Script=Han}/u.test(label))).toEqual([]);
      await page.context().close();
    });

    it('is what a Chinese browser gets without asking, refusals of the API and its time zone as well', async () => {
      const page = await stage.product.openPage({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
      await page.goto('/login');
      expect(await shows(page.getByRole('heading', { name: '登录' }))).toBe(true);
      await page.getByLabel('邮箱地址').fill(stage.product.admin.email);
      await page.getByLabel('密码').fill('not the password');
      await page.getByRole('button', { name: '登录' }).click();
      expect(await shows(page.getByRole('alert').getByText('邮箱地址或密码不正确'))).toBe(true);
      await page.getByLabel('密码').fill(stage.product.admin.password);
      await page.getByRole('button', { name: '登录' }).click();
      await page.getByRole('navigation').waitFor();
      await visit(page, '/wallets');
      await page.getByRole('button', { name: '兑换码充值' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('兑换码', { exact: true }).fill('ABCD-EFGH-JKLM');
      await form.getByRole('button', { name: '兑换', exact: true }).click();
      expect(await shows(form.getByText('兑换码不存在、已使用或已过期'))).toBe(true);
      await form.getByRole('button', { name: '取消' }).click();
      const moment = page.getByRole('main').locator('time').first();
      expect(await moment.getAttribute('title')).toMatch(/GMT\+8/);
      await page.getByLabel('时区').selectOption('UTC');
      expect(await moment.getAttribute('title')).toMatch(/UTC/);
      await page.context().close();
    });
  });

  describe('a narrow screen', () => {
    let page: Page;

    beforeAll(async () => {
      const phone = { viewport: NARROW, hasTouch: true };
      page = await openSignedIn(stage.product, stage.product.admin, phone);
    });

    afterAll(() => page?.context().close());

    it('leads to every view by the menu, and is never wider than the phone', async () => {
      await page.goto('/');
      const wide: string[] = [];
      const faults: string[] = [];
      const names = [
        'API keys',
        'Logs',
        'Wallets',
        'Video tasks',
        'Models',
        'Channels',
        'Users',
        'System health',
      ];
      for (const name of names) {
        await page.getByRole('button', { name: 'Menu' }).tap();
        await goTo(page, name);
        await page.locator('tbody tr').first().waitFor();
        expect(await page.getByRole('button', { name: 'Menu' }).getAttribute('aria-expanded')).toBe('false');
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(name);
        const found = await findFaults(page, { isTouched: true, isChinese: false });
        faults.push(...found.map((fault) => `${name} ${fault}`));
      }
      expect(wide).toEqual([]);
      expect(faults).toEqual([]);
    });

    it('shows what is wrong with a field of a long form, beside its buttons', async () => {
      await visit(page, '/tokens');
      await page.getByRole('button', { name: 'New key' }).tap();
      const form = page.getByRole('dialog', { name: 'New API key' });
      await form.getByLabel('Name').fill('refused');
      await form.getByLabel('Spending limit').fill('five');
      await form.getByRole('button', { name: 'Create' }).tap();
      const fault = form.getByRole('alert');
      await fault.waitFor();
      const isOnTop = fault.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2) === element;
      });
      expect(await isOnTop).toBe(true);
      await form.getByRole('button', { name: 'Cancel' }).tap();
      await visit(page, '/wallets');
      await page.getByRole('link', { name: 'first', exact: true }).tap();
      await page.getByRole('button', { name: 'Limits', exact: true }).tap();
      expect(await shows(page.getByRole('dialog', { name: 'Limits of “first”' }))).toBe(true);
    });

    it('tells of each change what it was made to', async () => {
      await visit(page, '/audit?action=token.create');
      const row = page.getByRole('row', { name: /API key by keyboard/ });
      expect(await shows(row)).toBe(true);
    });

    it('C15: reports the code of an error and its message', async () => {
      await visit(page, '/logs?error_code=model_not_found');
      await page.getByRole('button', { name: 'Open the call to acme-chat' }).first().tap();
      const drawer = page.getByRole('dialog', { name: 'acme-chat' });
      expect(await shows(drawer.getByText('model_not_found'))).toBe(true);
      const message = drawer.locator('dt:text-is("Error message") + dd');
      expect(await message.innerText()).toMatch(/model/i);
    });

    it('shows a call on all of its width', async () => {
      await visit(page, '/logs?model=sandbox-chat');
      await page.getByRole('button', { name: 'Open the call to sandbox-chat' }).first().tap();
      const drawer = page.getByRole('dialog', { name: 'sandbox-chat' });
      await drawer.getByText('Total').waitFor();
      expect(await drawer.evaluate((element) => element.getBoundingClientRect().width)).toBe(NARROW.width);
      expect(await drawer.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
      // What closes it stays in sight at its end, which a low screen has far below.
      await page.setViewportSize({ ...NARROW, height: 480 });
      await drawer.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      expect(await drawer.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
      const close = await drawer.getByRole('button', { name: 'Close' }).boundingBox();
      expect(close?.y).toBeGreaterThanOrEqual(0);
      await page.setViewportSize(NARROW);
      await drawer.getByRole('button', { name: 'Close' }).tap();
      await drawer.waitFor({ state: 'hidden' });
    });
  });
}
