import { newId } from '@mg/contract';
import { OIDC_CLIENT, openTestIssuer, type TestIssuer } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { SsoBrowser } from '../testing/sso-browser.js';

const REDIRECT_URL = 'http://console.test/api/v1/auth/sso/callback';
const PASSWORD = 'a member password';

let bed: TestBed;
let issuer: TestIssuer;
let console: OpenConsole;
let admin: string;
let browser: SsoBrowser;
let turn = 0;

function settingsOf(url: string): Record<string, string> {
  return {
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    OIDC_REDIRECT_URL: REDIRECT_URL,
  };
}

beforeAll(async () => {
  bed = await makeTestBed();
  issuer = await openTestIssuer(REDIRECT_URL);
  console = await bed.open({ environment: settingsOf(issuer.url) });
  admin = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(async () => {
  await bed.stop();
  await issuer.close();
});

beforeEach(async () => {
  await bed.database.query('truncate console_attempt');
  turn += 1;
  issuer.subject = `subject-${turn}`;
  issuer.accounts.set(issuer.subject, { email: emailOf(turn), email_verified: true, name: 'Some One' });
  issuer.tamper = undefined;
  issuer.forges = false;
  browser = new SsoBrowser(console);
});

function emailOf(number: number): string {
  return `user-${number}@example.com`;
}

async function createMember(email: string): Promise<string> {
  const { body } = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { email, password: PASSWORD, role: 'member' },
  });
  return body.id;
}

function change(id: string, body: object) {
  return console.call('PATCH', `/api/v1/users/${id}`, { session: admin, body });
}

async function openSession(page: URL) {
  const { body } = await browser.exchange(page.searchParams.get('sso'));
  const me = await console.call<{ id: string; email: string; role: string; name: string }>(
    'GET',
    '/api/v1/me',
    { session: String(body['access_token']) },
  );
  return me.body;
}

function reasonOf(page: URL): string | null {
  return page.searchParams.get('sso') === null ? page.searchParams.get('sso_error') : 'signed in';
}

async function actionsOf(targetId: string): Promise<string[]> {
  const rows = await bed.database.query<{ action: string }[]>(
    'select action from audit_log where target_id = $1 order by id',
    [targetId],
  );
  return rows.map(({ action }) => action);
}

describe('a single sign-on', () => {
  it('makes a new user a member with a wallet, who is the same user the next time', async () => {
    const page = await browser.signIn();
    expect(page.pathname).toBe('/login');
    const first = await openSession(page);
    expect(first).toMatchObject({ email: emailOf(turn), role: 'member', name: 'Some One' });
    const wallets = await bed.database.query('select 1 from wallet where user_id = $1', [first.id]);
    expect(wallets).toHaveLength(1);
    expect(await actionsOf(first.id)).toEqual(['user.create', 'user.link_sso']);
    issuer.accounts.set(`subject-${turn}`, { email: 'another@example.com', email_verified: false });
    browser = new SsoBrowser(console);
    const second = await openSession(await browser.signIn());
    expect(second.id).toBe(first.id);
    const [{ after } = {}] = await bed.database.query<{ after: object }[]>(
      `select after from audit_log where action = 'session.start' and actor_id = $1 order by id desc limit 1`,
      [first.id],
    );
    expect(after).toEqual({ by: 'sso' });
  });

  it('links a member by an e-mail address that the issuer has verified', async () => {
    const id = await createMember(emailOf(turn));
    expect((await openSession(await browser.signIn())).id).toBe(id);
    expect(await actionsOf(id)).toContain('user.link_sso');
  });

  it('links a new user by what an ID token says, where the issuer says it there', async () => {
    issuer.accounts.set(`subject-${turn}`, {});
    issuer.tamper = (claims) => ({ ...claims, email: emailOf(turn).toUpperCase(), email_verified: true });
    expect((await openSession(await browser.signIn())).email).toBe(emailOf(turn));
  });

  it('signs in an administrator who was linked as a member', async () => {
    const { id } = await openSession(await browser.signIn());
    await change(id, { role: 'administrator' });
    expect(await openSession(await browser.signIn())).toMatchObject({ id, role: 'administrator' });
  });

  it('says to the page whether it is there', async () => {
    const off = await bed.open();
    const isOn = async (at: OpenConsole) => (await at.call('GET', '/api/v1/settings/public')).body['sso'];
    expect([await isOn(console), await isOn(off)]).toEqual([true, false]);
    expect((await off.call('POST', '/api/v1/auth/sso/start')).status).toBe(404);
    const { text } = await console.call('GET', '/api/v1/settings', { session: admin });
    expect(text).not.toContain(OIDC_CLIENT.secret);
  });

  it('puts no token into an address, and its cookies out of reach of scripts', async () => {
    const page = await browser.signIn();
    expect([...page.searchParams.keys()]).toEqual(['sso']);
    for (const cookie of browser.seen) {
      expect(cookie).toMatch(/^mg_sso_[0-9a-f]{16}=\S*; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    }
    const secure = await bed.open({
      environment: { ...settingsOf(issuer.url), OIDC_REDIRECT_URL: REDIRECT_URL.replace('http:', 'https:') },
    });
    const started = await secure.call('POST', '/api/v1/auth/sso/start');
    expect(started.headers.get('set-cookie')).toMatch(
      /^__Host-mg_sso_.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('sends the browser back to the address of the settings, whatever the request says', async () => {
    const started = await console.call<{ url: string }>('POST', '/api/v1/auth/sso/start', {
      headers: { 'x-forwarded-host': 'evil.example.com', origin: 'https://evil.example.com' },
    });
    expect(new URL(started.body.url).searchParams.get('redirect_uri')).toBe(REDIRECT_URL);
    const callback = await browser.visit(await browser.start());
    callback.searchParams.set('to', 'https://evil.example.com/');
    callback.searchParams.set('redirect_uri', 'https://evil.example.com/');
    const page = await browser.comeBack(callback);
    expect(page.origin + page.pathname).toBe('http://page.test/login');
  });

  it('answers 503 while the issuer is away, and works once it is there', async () => {
    const gone = await openTestIssuer(REDIRECT_URL);
    await gone.close();
    const early = await bed.open({ environment: settingsOf(gone.url) });
    const away = await early.call<{ detail: { message: string } }>('POST', '/api/v1/auth/sso/start');
    expect(away.status).toBe(503);
    expect(away.body.detail.message).toContain('single sign-on service');
    expect((await early.call('GET', '/readyz')).status).toBe(200);
    const late = await openTestIssuer(REDIRECT_URL, Number(new URL(gone.url).port));
    expect((await early.call('POST', '/api/v1/auth/sso/start')).status).toBe(200);
    await late.close();
  });

  it('answers 503 where the issuer calls itself something else', async () => {
    const alias = issuer.url.replace('127.0.0.1', 'localhost');
    const other = await bed.open({ environment: settingsOf(alias) });
    expect((await other.call('POST', '/api/v1/auth/sso/start')).status).toBe(503);
    expect(bed.logged.join()).toContain('The issuer of single sign-on cannot be used');
  });

  it('is slowed down where one address begins too many', async () => {
    const begin = () => console.call('POST', '/api/v1/auth/sso/start');
    const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await begin()).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('nobody is signed in', () => {
  it('by a state that comes again', async () => {
    const callback = await browser.visit(await browser.start());
    expect(reasonOf(await browser.comeBack(callback))).toBe('signed in');
    expect(reasonOf(await browser.comeBack(callback))).toBe('expired');
  });

  it('in a browser that the state was not made for, which uses nothing up', async () => {
    const callback = await browser.visit(await browser.start());
    expect(reasonOf(await new SsoBrowser(console).comeBack(callback))).toBe('expired');
    const other = new SsoBrowser(console);
    await other.start();
    expect(reasonOf(await other.comeBack(callback))).toBe('expired');
    expect(reasonOf(await browser.comeBack(callback))).toBe('signed in');
  });

  it('by a code of the page that comes again, or from another browser', async () => {
    const code = (await browser.signIn()).searchParams.get('sso');
    expect((await new SsoBrowser(console).exchange(code)).status).toBe(401);
    const answers = await Promise.all([browser.exchange(code), browser.exchange(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await browser.exchange(code)).status).toBe(401);
  });

  it('after the time of the state, or of the code, is over', async () => {
    const callback = await browser.visit(await browser.start());
    await bed.database.query('update sso_login set expires_at = now()');
    expect(reasonOf(await browser.comeBack(callback))).toBe('expired');
    const code = (await browser.signIn()).searchParams.get('sso');
    const [{ seconds } = { seconds: 0 }] = await bed.database.query<{ seconds: number }[]>(
      'select max(extract(epoch from expires_at - now()))::integer as seconds from sso_handover',
    );
    expect(seconds).toBeLessThanOrEqual(60);
    await bed.database.query('update sso_handover set expires_at = now()');
    expect((await browser.exchange(code)).status).toBe(401);
  });

  it('by a code of the issuer without the verifier that it was asked for with', async () => {
    const callback = await browser.visit(await browser.start());
    await bed.database.query(`update sso_login set code_verifier = repeat('x', 43)`);
    expect(reasonOf(await browser.comeBack(callback))).toBe('failed');
  });

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://other.example.com' }],
    ['an end that is past', { exp: 1_000_000_000 }],
  ])('by an ID token with %s', async (_what, claims) => {
    issuer.tamper = (own) => ({ ...own, ...claims });
    expect(reasonOf(await browser.signIn())).toBe('failed');
  });

  it('by an ID token that another key signed', async () => {
    issuer.tamper = (own) => own;
    expect(reasonOf(await browser.signIn())).toBe('signed in');
    issuer.forges = true;
    expect(reasonOf(await new SsoBrowser(console).signIn())).toBe('failed');
  });

  it.each(['https://other.example.com', undefined])('by an answer of the issuer %s', async (iss) => {
    const callback = await browser.visit(await browser.start());
    if (iss === undefined) callback.searchParams.delete('iss');
    else callback.searchParams.set('iss', iss);
    expect(reasonOf(await browser.comeBack(callback))).toBe('failed');
  });

  it('when the issuer says no', async () => {
    issuer.subject = undefined;
    expect(reasonOf(await browser.signIn())).toBe('refused');
  });

  it.each([{ email_verified: false }, {}])(
    'by an e-mail address that is not verified: %j',
    async (verified) => {
      const id = await createMember(emailOf(turn));
      issuer.accounts.set(`subject-${turn}`, { email: emailOf(turn), ...verified });
      expect(reasonOf(await browser.signIn())).toBe('unverified_email');
      issuer.accounts.set(`subject-${turn}`, { email: `new-${emailOf(turn)}`, ...verified });
      expect(reasonOf(await browser.signIn())).toBe('unverified_email');
      expect(await actionsOf(id)).not.toContain('user.link_sso');
    },
  );

  it('who is disabled, before the link, after it and between code and session', async () => {
    const id = await createMember(emailOf(turn));
    await change(id, { disabled: true });
    expect(reasonOf(await browser.signIn())).toBe('disabled');
    await change(id, { disabled: false });
    const code = (await browser.signIn()).searchParams.get('sso');
    await change(id, { disabled: true });
    expect((await browser.exchange(code)).status).toBe(401);
    expect(reasonOf(await browser.signIn())).toBe('disabled');
  });

  it('as an administrator whom only the e-mail address names', async () => {
    issuer.accounts.set(`subject-${turn}`, { email: ADMIN.email, email_verified: true });
    expect(reasonOf(await browser.signIn())).toBe('administrator');
  });

  it('by an address that its user has typed at an invitation, and nobody vouches for', async () => {
    const id = await createMember(emailOf(turn));
    await bed.database.query('update app_user set email_claimed = true where id = $1', [id]);
    expect(reasonOf(await browser.signIn())).toBe('claimed');
    expect(await actionsOf(id)).not.toContain('user.link_sso');
  });

  it('whose wallet cannot be opened, and no half of a user stays', async () => {
    const { body } = await console.call<{ id: string }>('GET', '/api/v1/me', { session: admin });
    const wallet = { id: newId(), name: emailOf(turn), userId: body.id, openingBalance: 0n };
    await bed.wallets.openWallet(wallet);
    expect(reasonOf(await browser.signIn())).toBe('failed');
    const [left] = await bed.database.query<object[]>(
      `select (select count(*)::integer from app_user where email = $1) as users,
              (select count(*)::integer from sso_identity where subject = $2) as identities`,
      [emailOf(turn), issuer.subject],
    );
    expect(left).toEqual({ users: 0, identities: 0 });
  });

  it('as a user whom another subject of the issuer is linked to', async () => {
    expect(reasonOf(await browser.signIn())).toBe('signed in');
    issuer.subject = `second-${turn}`;
    issuer.accounts.set(issuer.subject, { email: emailOf(turn), email_verified: true });
    expect(reasonOf(await new SsoBrowser(console).signIn())).toBe('linked_otherwise');
  });
});
