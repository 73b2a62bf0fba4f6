import { newId, omitUndefined } from '@mg/contract';
import { OIDC_CLIENT, openTestIssuer, type TestIssuer } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { SsoBrowser } from '../testing/sso-browser.js';

const REDIRECT_URL = 'http://console.test/api/v1/auth/sso/callback';
const ADMINS = 'gateway-admins';
const USERS = 'gateway-users';
const EMAIL = 'someone@example.com';

let bed: TestBed;
let issuer: TestIssuer;
let settings: Record<string, string>;
let console: OpenConsole;
let admin: string;

beforeAll(async () => {
  bed = await makeTestBed();
  issuer = await openTestIssuer(REDIRECT_URL);
  settings = {
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    OIDC_REDIRECT_URL: REDIRECT_URL,
    OIDC_SCOPES: 'groups',
  };
});

afterAll(async () => {
  await bed.stop();
  await issuer.close();
});

beforeEach(async () => {
  await bed.clear();
  issuer.tamper = undefined;
  issuer.subject = 'someone';
  await openConsole({ OIDC_ADMINISTRATOR_CLAIM: `groups=${ADMINS}` });
});

async function openConsole(rules: Record<string, string>): Promise<void> {
  console = await bed.open({ environment: { ...settings, ...rules } });
  admin = await console.login(ADMIN.email, ADMIN.password);
}

function beIn(groups: readonly string[] | undefined, email = EMAIL): void {
  issuer.accounts.set('someone', omitUndefined({ email, email_verified: true, groups }));
}

const signIn = () => new SsoBrowser(console).signIn();

/** Signs in, and says as what, or why not. */
async function roleAfterSignIn(): Promise<unknown> {
  const browser = new SsoBrowser(console);
  const page = await browser.signIn();
  if (page.searchParams.has('sso_error')) return page.searchParams.get('sso_error');
  const { body } = await browser.exchange(page.searchParams.get('sso'));
  return (await readMe(String(body['access_token']))).role;
}

async function readMe(session: string): Promise<{ id: string; role: string }> {
  return (await console.call<{ id: string; role: string }>('GET', '/api/v1/me', { session })).body;
}

async function readUser(email: string): Promise<{ id: string; role: string } | undefined> {
  const rows = await bed.database.query<{ id: string; role: string }[]>(
    'select id, role from app_user where email = $1',
    [email],
  );
  return rows[0];
}

async function makeUser(role: string, email = EMAIL): Promise<string> {
  const { body } = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { email, password: 'a password of theirs', role },
  });
  return body.id;
}

it('gives the role that the claim says, at each sign-in anew, and writes it down', async () => {
  beIn([USERS, ADMINS]);
  expect(await roleAfterSignIn()).toBe('administrator');
  beIn([USERS]);
  expect(await roleAfterSignIn()).toBe('member');
  beIn([ADMINS]);
  expect(await roleAfterSignIn()).toBe('administrator');
  // Issuers leave out the claim of somebody who is in no group.
  beIn(undefined);
  expect(await roleAfterSignIn()).toBe('member');
  const user = await readUser(EMAIL);
  const changes = await bed.database.query<object[]>(
    `select actor_email, after->>'role' as role from audit_log
     where target_id = $1 and action = 'user.change' order by id`,
    [user?.id],
  );
  expect(changes).toEqual(
    ['member', 'administrator', 'member'].map((role) => ({ actor_email: 'single sign-on', role })),
  );
});

it('reads the claim from an ID token, too, without a scope of its own', async () => {
  await openConsole({ OIDC_ADMINISTRATOR_CLAIM: 'https://example.com/staff=true', OIDC_SCOPES: '' });
  beIn([ADMINS]);
  expect(await roleAfterSignIn()).toBe('member');
  issuer.tamper = (claims) => ({ ...claims, 'https://example.com/staff': true });
  expect(await roleAfterSignIn()).toBe('administrator');
});

it('takes the rights of open sessions and the keys on wallets of others away with the role', async () => {
  beIn([ADMINS]);
  const browser = new SsoBrowser(console);
  const page = await browser.signIn();
  const { body } = await browser.exchange(page.searchParams.get('sso'));
  const session = String(body['access_token']);
  const wallets = await console.call<{ data: { id: string; user_id: string }[] }>('GET', '/api/v1/wallets', {
    session,
  });
  const { id: ownId } = await readMe(session);
  const foreign = wallets.body.data.find((wallet) => wallet.user_id !== ownId);
  const token = await console.call<{ id: string }>('POST', '/api/v1/tokens', {
    session,
    body: { name: 'on the wallet of another', wallet_id: foreign?.id },
  });
  expect(token.status).toBe(201);
  beIn([]);
  expect(await roleAfterSignIn()).toBe('member');
  expect((await console.call('GET', '/api/v1/users', { session })).status).toBe(403);
  const [row] = await bed.database.query<object[]>('select disabled from token where id = $1', [
    token.body.id,
  ]);
  expect(row).toEqual({ disabled: true });
});

it('links an administrator by address where the claim names them one, and nobody else', async () => {
  const id = await makeUser('administrator');
  beIn([USERS]);
  // The reason why nobody is signed in, and no role.
  expect((await signIn()).searchParams.get('sso_error')).toBe('administrator');
  expect(await readUser(EMAIL)).toEqual({ id, role: 'administrator' });
  beIn([ADMINS]);
  expect((await signIn()).searchParams.get('sso_error')).toBeNull();
  expect(await readUser(EMAIL)).toEqual({ id, role: 'administrator' });
});

it('makes nobody an administrator of a user whose address is theirs by an invitation alone', async () => {
  const id = await makeUser('member');
  await bed.database.query('update app_user set email_claimed = true where id = $1', [id]);
  beIn([ADMINS]);
  expect(await roleAfterSignIn()).toBe('claimed');
  expect(await readUser(EMAIL)).toEqual({ id, role: 'member' });
});

it('leaves the last administrator one, and does not sign them in', async () => {
  beIn([ADMINS], ADMIN.email);
  expect(await roleAfterSignIn()).toBe('administrator');
  beIn([USERS], ADMIN.email);
  expect(await roleAfterSignIn()).toBe('last_administrator');
  expect((await readMe(await console.login(ADMIN.email, ADMIN.password))).role).toBe('administrator');
});

it('gives a role to whoever links themselves with their password', async () => {
  await makeUser('member', 'other@example.com');
  const session = await console.login('other@example.com', 'a password of theirs');
  beIn([ADMINS], `${newId()}@example.com`);
  const browser = new SsoBrowser(console);
  const { body } = await browser.startLink(session, { current_password: 'a password of theirs' });
  await browser.comeBack(await browser.visit(body.url));
  expect((await readMe(session)).role).toBe('administrator');
});

it('lets in whom the claim of members names, and changes nothing of others', async () => {
  await openConsole({ OIDC_MEMBER_CLAIM: `groups=${USERS}` });
  beIn([ADMINS]);
  expect(await roleAfterSignIn()).toBe('no_role');
  expect(await readUser(EMAIL)).toBeUndefined();
  beIn([USERS]);
  expect(await roleAfterSignIn()).toBe('member');
  // Without a claim of administrators the Console says who is one.
  const user = await readUser(EMAIL);
  await console.call('PATCH', `/api/v1/users/${user?.id}`, {
    session: admin,
    body: { role: 'administrator' },
  });
  expect(await roleAfterSignIn()).toBe('administrator');
  beIn(undefined);
  expect(await roleAfterSignIn()).toBe('no_role');
  expect((await readUser(EMAIL))?.role).toBe('administrator');
});
