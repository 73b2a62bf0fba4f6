import { omitUndefined } from '@mg/contract';
import { OIDC_CLIENT, openTestIssuer, type TestIssuer } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { codeOf, MEMBER_PASSWORD, SecondFactors, wrongCodeOf } from '../testing/second-factors.js';
import { SsoBrowser } from '../testing/sso-browser.js';

const REDIRECT_URL = 'http://console.test/api/v1/auth/sso/callback';
const PASSWORD = { current_password: ADMIN.password };

let bed: TestBed;
let issuer: TestIssuer;
let console: OpenConsole;
let admin: string;
let browser: SsoBrowser;

beforeAll(async () => {
  bed = await makeTestBed();
  issuer = await openTestIssuer(REDIRECT_URL);
  issuer.accounts.set('the boss', { email: 'boss@elsewhere.example.com' });
  issuer.accounts.set('a stranger', { email: 'stranger@example.com', email_verified: true });
});

afterAll(async () => {
  await bed.stop();
  await issuer.close();
});

beforeEach(async () => {
  await bed.clear();
  console = await bed.open({
    environment: {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      OIDC_REDIRECT_URL: REDIRECT_URL,
    },
  });
  admin = await console.login(ADMIN.email, ADMIN.password);
  browser = new SsoBrowser(console);
  issuer.subject = 'the boss';
});

async function link(): Promise<URL> {
  const { body } = await browser.startLink(admin, PASSWORD);
  return browser.comeBack(await browser.visit(body.url));
}

async function emailOf(page: URL): Promise<unknown> {
  const { body } = await browser.exchange(page.searchParams.get('sso'));
  const me = await console.call('GET', '/api/v1/me', { session: String(body['access_token']) });
  return me.body['email'];
}

it('links an administrator who is signed in, and signs them in from then on', async () => {
  const isLinked = async () =>
    (await console.call('GET', '/api/v1/me/sso', { session: admin })).body['linked'];
  expect(await isLinked()).toBe(false);
  expect(await emailOf(await link())).toBe(ADMIN.email);
  expect(await isLinked()).toBe(true);
  browser = new SsoBrowser(console);
  expect(await emailOf(await browser.signIn())).toBe(ADMIN.email);
  // Who is linked already is signed in again.
  expect(await emailOf(await link())).toBe(ADMIN.email);
  issuer.subject = 'a stranger';
  browser = new SsoBrowser(console);
  expect((await link()).searchParams.get('sso_error')).toBe('linked_otherwise');
});

it('takes no identity from another user', async () => {
  issuer.subject = 'a stranger';
  expect(await emailOf(await browser.signIn())).toBe('stranger@example.com');
  browser = new SsoBrowser(console);
  expect((await link()).searchParams.get('sso_error')).toBe('linked_otherwise');
});

it('wants the password, and a code where there is a second factor', async () => {
  const wrong = await browser.startLink(admin, { current_password: 'wrong' });
  expect(wrong.status).toBe(400);
  const { secret, session, email } = await (await SecondFactors.over(bed, console)).enrol();
  const begin = (code?: string) =>
    browser.startLink(session.access_token, {
      current_password: MEMBER_PASSWORD,
      ...omitUndefined({ code }),
    });
  const missing = await begin();
  expect([missing.status, missing.text.includes('"param":"code"')]).toEqual([400, true]);
  expect((await begin(wrongCodeOf(secret))).status).toBe(400);
  const { body } = await begin(codeOf(secret));
  expect(await emailOf(await browser.comeBack(await browser.visit(body.url)))).toBe(email);
});

it('is over with the session that began it', async () => {
  const { body } = await browser.startLink(admin, PASSWORD);
  const callback = await browser.visit(body.url);
  await console.call('POST', '/api/v1/auth/logout', { session: admin });
  expect((await browser.comeBack(callback)).searchParams.get('sso_error')).toBe('expired');
});

it('works in the browser that began it alone', async () => {
  const { body } = await browser.startLink(admin, PASSWORD);
  issuer.subject = 'a stranger';
  const other = new SsoBrowser(console);
  expect((await other.comeBack(await other.visit(body.url))).searchParams.get('sso_error')).toBe('expired');
});
