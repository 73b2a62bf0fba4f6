import type { Page } from 'playwright-core';
import { VIEWS } from '../views.js';
import { LONG_SLUG } from './seed-operator.js';

/** Who looks at a scene. */
export type Viewer = 'administrator' | 'member' | 'project member' | 'project viewer' | 'nobody';

/** Something to be drawn: a view, a page of one thing, a dialog, an empty list, an error. It is opened in English. */
export interface Scene {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** What is there once it has loaded. */
  readonly ready: string;
  /** What is done there before it is drawn. */
  readonly open?: (page: Page) => Promise<void>;
}

const ROW = 'tbody tr';
const DIALOG = '[role=dialog]';
const MAIN_KEY = 'production-backend-of-the-customer-support-assistant';
const MAIN_WALLET = 'Research and Development of the Northern Subsidiary';
const MAIN_PROJECT = 'The assistant of the northern branch, second generation';

/** Follows a link of a list to the page of one thing. */
function follow(name: string) {
  return async (page: Page) => {
    const address = page.url();
    await page.getByRole('main').getByRole('link', { name, exact: true }).first().click();
    await page.waitForURL((url) => url.href !== address);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
}

/** Presses a button of the page, or of the dialog that is on top. */
function press(...names: readonly string[]) {
  return async (page: Page) => {
    for (const name of names) {
      const dialog = page.locator(DIALOG).last();
      const place = (await dialog.count()) > 0 ? dialog : page.getByRole('main');
      await place.getByRole('button', { name, exact: true }).first().click();
    }
    await page.locator(DIALOG).last().waitFor();
  };
}

/** Opens a form and sends what the API refuses. */
function refuse(button: string, fields: Readonly<Record<string, string>>, send: string) {
  return async (page: Page) => {
    await press(button)(page);
    const form = page.locator(DIALOG).last();
    for (const [label, text] of Object.entries(fields)) await form.getByLabel(label).first().fill(text);
    await form.getByRole('button', { name: send, exact: true }).click();
    await form.getByRole('alert').first().waitFor();
  };
}

/** Opens the first row of a list. */
async function openRow(page: Page): Promise<void> {
  await page.locator(`${ROW} button`).first().click();
  await page.locator(DIALOG).waitFor();
}

/** Shows the text of a new key, once. */
async function makeKey(page: Page): Promise<void> {
  await press('New key')(page);
  await page.getByLabel('Name').fill('shown once');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByTestId('new-key').waitFor();
}

/** Opens what a key's page has of bodies. */
function openCapture(key: string, button: string | RegExp) {
  return async (page: Page) => {
    await follow(key)(page);
    await page.getByRole('main').getByRole('button', { name: button }).first().click();
    await page.locator(DIALOG).waitFor();
  };
}

async function failEverything(page: Page): Promise<void> {
  const detail = { code: 'rate_limited', message: '', request_id: '019ac000-0000-7000-8000-000000000000' };
  await page.route('**/api/v1/logs*', (route) => route.fulfill({ status: 429, json: { detail } }));
  await page.reload();
  await page.getByRole('alert').waitFor();
}

/** As a product without any calls, keys or anything else answers. */
async function emptyEverything(page: Page): Promise<void> {
  await page.route('**/api/v1/**', async (route) => {
    const response = await route.fetch();
    const answer: unknown = await response.json().catch(() => undefined);
    const isList = typeof answer === 'object' && answer !== null && 'data' in answer;
    await route.fulfill(
      isList ? { response, json: { ...answer, data: [], next_cursor: null } } : { response },
    );
  });
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const administrator = { viewer: 'administrator' } as const;

const views: readonly Scene[] = VIEWS.map(([name, path, ready]) => ({ ...administrator, name, path, ready }));

const pages: readonly Scene[] = [
  ['key', '/tokens', MAIN_KEY],
  ['wallet', '/wallets', MAIN_WALLET],
  ['project', '/projects', MAIN_PROJECT],
  ['channel', '/channels', 'fireworks-production-eu-central-1'],
  ['channel-failing', '/channels', 'wrong key'],
  ['channel-batches', '/channels', 'batches of the provider'],
  ['key-rotated', '/tokens', 'leaked-to-a-public-repository'],
].map(([name = '', path = '', link = '']) => ({
  ...administrator,
  name,
  path,
  ready: ROW,
  open: follow(link),
}));

const dialogs: readonly Scene[] = (
  [
    ['form-key', '/tokens', press('New key')],
    ['form-wallet', '/wallets', press('New wallet')],
    ['form-top-up', '/wallets', press('Top up')],
    ['form-limits', '/wallets', press('Limits')],
    ['form-redeem', '/wallets', press('Redeem a code')],
    ['form-ledger', '/wallets', press('Export all ledgers (CSV)')],
    ['form-project', '/projects', press('New project')],
    ['form-model', '/models', press('New model')],
    ['form-prices', '/models', press('Import prices')],
    ['form-channel', '/channels', press('New channel')],
    ['form-provider', '/channels', press('Add provider')],
    ['form-user', '/users', press('New user')],
    ['form-codes', '/codes', press('New codes')],
    ['form-alerts', '/alerts', press('Change the settings')],
    ['question', '/tokens', press('Delete')],
    ['rotate', '/tokens', press('Rotate')],
    ['key-once', '/tokens', makeKey],
    ['form-capture', '/tokens', openCapture('only two models', 'Keep bodies')],
    ['drawer-bodies', '/tokens', openCapture(MAIN_KEY, /^Read the bodies of/)],
    ['edit-key', '/tokens', press('Edit')],
    ['edit-channel', '/channels', press('Edit')],
    ['offer', '/channels', press('Models')],
    ['connect', '/tokens', press('Connect')],
    ['refused-codes', '/wallets', refuse('Redeem a code', { Code: 'ABCD-EFGH-JKLM' }, 'Redeem')],
    ['refused-key', '/tokens', refuse('New key', { Name: 'x', 'Spending limit': 'five' }, 'Create')],
    ['refused-model', '/models', refuse('New model', { Model: LONG_SLUG }, 'Create')],
    ['drawer-model', '/models', press(LONG_SLUG)],
    ['edit-model', '/models', press(LONG_SLUG, 'Change limits and price')],
    ['drawer-call', `/logs?model=${encodeURIComponent(LONG_SLUG)}`, openRow],
    ['drawer-failed-call', '/logs?model=always-fails', openRow],
    ['drawer-task', '/tasks', openRow],
    ['drawer-audit', '/audit', openRow],
    ['drawer-codes', '/codes', openRow],
    ['drawer-user', '/users', press('Edit')],
  ] as const
).map(([name, path, open]) => ({ ...administrator, name, path, ready: `${ROW}, dl`, open }));

const others: readonly Scene[] = [
  { name: 'drawer-alert', ...administrator, path: '/alerts', ready: ROW, open: openRow },
  {
    name: 'palette',
    ...administrator,
    path: '/logs',
    ready: ROW,
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator(`${DIALOG} input`).fill('production');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'menu',
    ...administrator,
    path: '/logs',
    ready: ROW,
    open: (page) => page.evaluate(`document.querySelector('aside button[aria-expanded]').click()`),
  },
  {
    name: 'filters',
    ...administrator,
    path: '/logs',
    ready: ROW,
    // The filters of a phone, and those that are rare.
    open: (page) =>
      page.evaluate(
        `document.querySelectorAll('main button[aria-controls][aria-expanded=false]').forEach((button) => button.click())`,
      ),
  },
  {
    name: 'user',
    ...administrator,
    path: '/users',
    ready: ROW,
    open: (page) =>
      follow('member-of-the-northern-subsidiary@engineering.long-company-name.example.com')(page),
  },
  {
    name: 'first-call',
    ...administrator,
    path: '/playground',
    ready: 'textarea',
    open: async (page) => {
      await page.getByRole('button', { name: 'Create a key for the playground' }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('link', { name: 'See it in the logs' }).waitFor();
    },
  },
  {
    name: 'playground-image',
    ...administrator,
    path: '/playground',
    ready: 'textarea',
    open: (page) => page.getByRole('button', { name: 'Image' }).click(),
  },
  { name: 'account', ...administrator, path: '/account', ready: ROW },
  { name: 'not-found', ...administrator, path: '/no-such-page', ready: 'main a' },
  { name: 'empty-logs', ...administrator, path: '/logs?model=nothing', ready: 'main p.text-balance' },
  { name: 'empty-audit', ...administrator, path: '/audit?target_id=nothing', ready: 'main' },
  { name: 'error', ...administrator, path: '/logs', ready: 'main', open: failEverything },
  { name: 'member-overview', viewer: 'member', path: '/', ready: 'h1' },
  { name: 'member-keys', viewer: 'member', path: '/tokens', ready: ROW },
  { name: 'member-models', viewer: 'member', path: '/models', ready: ROW },
  { name: 'member-project', viewer: 'member', path: '/projects', ready: ROW, open: follow(MAIN_PROJECT) },
  {
    name: 'project-member',
    viewer: 'project member',
    path: '/projects',
    ready: ROW,
    open: follow(MAIN_PROJECT),
  },
  {
    name: 'project-viewer',
    viewer: 'project viewer',
    path: '/projects',
    ready: ROW,
    open: follow(MAIN_PROJECT),
  },
  { name: 'member-logs', viewer: 'member', path: '/logs', ready: 'h1' },
  { name: 'member-tasks', viewer: 'member', path: '/tasks', ready: 'h1' },
  { name: 'member-wallets', viewer: 'member', path: '/wallets', ready: ROW },
  { name: 'forbidden', viewer: 'member', path: '/channels', ready: '[role=alert]' },
  { name: 'login', viewer: 'nobody', path: '/login', ready: 'form' },
  {
    name: 'login-refused',
    viewer: 'nobody',
    path: '/login',
    ready: 'form',
    open: async (page) => {
      await page.getByLabel('E-mail address').fill('member-of-the-northern-subsidiary@example.com');
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'join-gone', viewer: 'nobody', path: '/join#no-such-invitation', ready: '[role=alert]' },
];

const empty: readonly Scene[] = [
  '/',
  '/tokens',
  '/wallets',
  '/projects',
  '/tasks',
  '/models',
  '/channels',
  '/codes',
  '/alerts',
].map((path) => ({
  ...administrator,
  name: `empty-${path.slice(1) || 'overview'}`,
  path,
  ready: 'h1',
  open: emptyEverything,
}));

export const SCENES: readonly Scene[] = [...views, ...pages, ...dialogs, ...others, ...empty];
