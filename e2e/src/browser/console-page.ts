import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTestPostgres, type FakeUpstream, findFreePorts, startFakeUpstream } from '@mg/testkit';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { PlaneProcess } from '../deployment/plane-process.js';
import { findBrowser } from './find-browser.js';

const START_TIMEOUT_MS = 240_000;
const WAIT_MS = 60_000;
/** Root's Postgres runs as another account, whose files should lie in here nevertheless. */
const PASSABLE = 0o711;

/**
 * There is no graphics card to draw with, and no page lives for so long that optimizing its scripts pays: a fifth of the
 * browser's work.
 */
const FRUGAL = ['--disable-gpu', '--js-flags=--no-opt --no-maglev'];

export const UPSTREAM_KEY = 'sk-the-right-provider-key';
export const WIDE = { width: 1280, height: 860 };
export const TABLET = { width: 1024, height: 768 };
export const NARROW = { width: 390, height: 844 };

/** The product as somebody who has just started it meets it, with a browser in front. */
export interface ConsoleUnderTest {
  readonly consoleUrl: string;
  readonly gatewayUrl: string;
  readonly admin: Person;
  readonly upstream: FakeUpstream;
  /** What the browser complained about: scripts that failed, files and styles that the page's policy forbade. */
  readonly errors: readonly string[];
  /** Opens a tab of its own, without any session. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

/** @param addVariables settings beside the usual ones, by the address at which the Console will be. */
export async function startConsoleUnderTest(
  addVariables: (consoleUrl: string) => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
): Promise<ConsoleUnderTest> {
  const [gatewayPort, consolePort] = await findFreePorts(2);
  const directory = await mkdtemp(join(tmpdir(), 'mg-browser-'));
  await chmod(directory, PASSABLE);
  const upstream = await startFakeUpstream({ acceptedKeys: [UPSTREAM_KEY] });
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;
  const consoleUrl = `http://127.0.0.1:${consolePort}`;
  const variables = {
    GATEWAY_PORT: String(gatewayPort),
    CONSOLE_PORT: String(consolePort),
    DATA_DIR: join(directory, 'data'),
    ...(await addVariables(consoleUrl)),
  };
  await copyTestPostgres(join(directory, 'data/postgres'));
  const plane = new PlaneProcess('monolith', variables, `${gatewayUrl}/readyz`);
  let browser: Browser | undefined;
  const stop = async () => {
    await browser?.close();
    await plane.stop();
    await upstream.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await plane.waitUntilReady(START_TIMEOUT_MS);
    browser = await chromium.launch({
      executablePath: findBrowser(),
      args: ['--no-sandbox', '--disable-dev-shm-usage', ...FRUGAL],
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const errors: string[] = [];
  const password = await readFile(join(directory, 'data/secrets/admin-password'), 'utf8');
  return {
    consoleUrl,
    gatewayUrl,
    admin: { email: 'admin@example.com', password: password.trim() },
    upstream,
    errors,
    openPage: (options) => openPage(browser, consoleUrl, options ?? {}, errors),
    stop,
  };
}

async function openPage(
  browser: Browser | undefined,
  baseURL: string,
  options: BrowserContextOptions,
  errors: string[],
): Promise<Page> {
  if (browser === undefined) throw new Error('The browser is closed.');
  const context = await browser.newContext({
    baseURL,
    viewport: WIDE,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // A refused call is logged by the browser itself; whether it should have been refused is what the tests ask.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) errors.push(message.text());
  });
  return page;
}

/** Somebody who has a password. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Lets the tab of a page be signed in from now on, without the form: nothing of the Console is loaded yet. */
export async function startSession(
  page: Page,
  { consoleUrl }: ConsoleUnderTest,
  user: Person,
): Promise<void> {
  const answer = await fetch(`${consoleUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  });
  expect(answer.status).toBe(200);
  const session = (await answer.json()) as {
    access_token: string;
    refresh_token: string;
    expires_in: number;
  };
  const access = `${Date.now() + session.expires_in * 1_000} ${session.access_token}`;
  // Of the Console's address, and no page.
  await page.goto('/healthz');
  await page.evaluate(`(() => {
    sessionStorage.setItem('model-gateway.access', ${JSON.stringify(access)});
    sessionStorage.setItem('model-gateway.session', ${JSON.stringify(session.refresh_token)});
    localStorage.setItem('model-gateway.open', 'true');
  })()`);
}

/** Opens a tab of its own in which somebody is signed in. */
export async function openSignedIn(
  product: ConsoleUnderTest,
  user: Person,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await product.openPage(options);
  await startSession(page, product, user);
  return page;
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, user: Person): Promise<void> {
  await page.goto('/');
  await page.getByLabel('E-mail address').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

/** Opens the first page again, signed in: a dialog that a failed test left open would fail those that follow. */
export async function startOver(page: Page, user: Person): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.goto('/');
  const overview = page.getByRole('heading', { name: 'Overview', level: 1 });
  await overview
    .or(page.getByRole('button', { name: 'Sign in' }))
    .first()
    .waitFor();
  if (!(await overview.isVisible())) await signIn(page, user);
}

/** Goes to an address within the Console that is open, as its links do: nothing is loaded anew but what the view asks for. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
}

/** Goes to a view by the navigation. */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();
  await page.getByRole('heading', { name: view, level: 1 }).waitFor();
}
