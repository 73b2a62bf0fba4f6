import { newId, omitUndefined } from '@mg/contract';
import { OIDC_CLIENT, openTestIssuer, type TestIssuer } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { SsoBrowser } from '../testing/sso-browser.js';

const REDIRECT_URL = 'http://console.test/api/v1/auth/sso/callback';
const PASSWORD = 'a password of theirs';

interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly role: string;
  readonly origin: string;
}

let bed: TestBed;
let issuer: TestIssuer;
let console: OpenConsole;
let admin: string;
/** Of the user whom the issuer signs in. */
let email: string;

beforeAll(async () => {
  bed = await makeTestBed();
  issuer = await openTestIssuer(REDIRECT_URL);
  issuer.subject = 'someone';
  console = await bed.open({
    environment: {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      OIDC_REDIRECT_URL: REDIRECT_URL,
      OIDC_SCOPES: 'groups',
      OIDC_PROJECTS_CLAIM: 'groups',
    },
  });
  admin = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(async () => {
  await bed.stop();
  await issuer.close();
});

beforeEach(() => {
  email = `${newId()}@example.com`;
  issuer.subject = email;
});

function call<Body = { id: string }>(method: string, path: string, body?: object, session = admin) {
  return console.call<Body>(method, `/api/v1${path}`, omitUndefined({ session, body }));
}

async function makeProject(groups: Record<string, string>, name: string = newId()): Promise<string> {
  const { id } = (await call('POST', '/projects', { name })).body;
  const data = Object.entries(groups).map(([value, role]) => ({ value, role }));
  expect((await call('PUT', `/projects/${id}/groups`, { data })).status).toBe(200);
  return id;
}

/** Signs in with these groups, which an issuer may say in any form. @returns a session. */
async function signIn(groups: unknown): Promise<string> {
  issuer.accounts.set(email, {
    email,
    email_verified: true,
    ...omitUndefined({ groups: groups !== undefined ? (groups as string[]) : undefined }),
  });
  const browser = new SsoBrowser(console);
  const page = await browser.signIn();
  const { body } = await browser.exchange(page.searchParams.get('sso'));
  return String(body['access_token']);
}

async function membershipOf(project: string, of = email): Promise<Member | undefined> {
  const { body } = await call<{ data: Member[] }>('GET', `/projects/${project}/members`);
  return body.data.find((member) => member.email === of);
}

it('lets into projects by group, as the highest of several roles, at each sign-in anew, and writes it down', async () => {
  const project = await makeProject({ staff: 'viewer', research: 'member', leads: 'owner' });
  const other = await makeProject({ sales: 'member' });
  await signIn(['staff', 'research', 'unknown', project]);
  expect(await membershipOf(project)).toMatchObject({ role: 'member', origin: 'claim' });
  expect(await membershipOf(other)).toBeUndefined();
  await signIn('leads');
  expect(await membershipOf(project)).toMatchObject({ role: 'owner' });
  await signIn(['sales']);
  expect(await membershipOf(project)).toBeUndefined();
  expect(await membershipOf(other)).toMatchObject({ role: 'member' });
  // Issuers leave out the claim of somebody who is in no group.
  await signIn(undefined);
  expect(await membershipOf(other)).toBeUndefined();
  const { body } = await call<{ data: { action: string; actor: unknown; after: object }[] }>(
    'GET',
    `/audit?target_id=${project}`,
  );
  expect(body.data.slice(0, 3)).toMatchObject(
    [null, { role: 'owner' }, { role: 'member', origin: 'claim' }].map((member) => ({
      action: 'project.set_member',
      after: { member },
    })),
  );
  expect(JSON.stringify(body.data[0])).toContain('single sign-on');
});

it('takes the keys in a project with the membership, or with the right to have them', async () => {
  const project = await makeProject({ research: 'member', staff: 'viewer' });
  const session = await signIn(['research']);
  const makeKey = async () =>
    (await call('POST', '/tokens', { name: newId(), project_id: project }, session)).body.id;
  const isDisabled = async (id: string) =>
    (await call<{ disabled: boolean }>('GET', `/tokens/${id}`)).body.disabled;
  const first = await makeKey();
  await signIn(['staff']);
  expect(await isDisabled(first)).toBe(true);
  await signIn(['research']);
  const second = await makeKey();
  await signIn([]);
  expect(await isDisabled(second)).toBe(true);
  expect((await call('GET', `/projects/${project}`, undefined, session)).status).toBe(404);
});

it('touches no membership that a person gave, whatever the claim says', async () => {
  const project = await makeProject({ leads: 'owner' });
  const user = await call('POST', '/users', { email, password: PASSWORD, role: 'member' });
  await call('PUT', `/projects/${project}/members/${user.body.id}`, { role: 'viewer' });
  for (const groups of [['leads'], [], undefined]) {
    await signIn(groups);
    expect(await membershipOf(project)).toMatchObject({ role: 'viewer', origin: 'console' });
  }
});

it('goes by no name of a project, which owners choose, and by no list that is none', async () => {
  const project = await makeProject({}, 'named-by-its-owner');
  const session = await signIn([
    'named-by-its-owner',
    'named-by-its-owner:owner',
    project,
    `${project}:owner`,
  ]);
  expect(await membershipOf(project)).toBeUndefined();
  const guarded = await makeProject({ research: 'owner' });
  for (const groups of [
    ['research '],
    'Research',
    [['research']],
    { research: true },
    ['re\u0000search'],
    true,
  ]) {
    await signIn(groups);
    expect(await membershipOf(guarded)).toBeUndefined();
  }
  // Who says which groups let in administrates.
  const body = { data: [{ value: 'research', role: 'owner' }] };
  expect((await call('PUT', `/projects/${guarded}/groups`, body, session)).status).toBe(403);
});

it('lets no owner by a claim make themselves one for good', async () => {
  const project = await makeProject({ leads: 'owner' });
  const session = await signIn(['leads']);
  const me = await membershipOf(project);
  const path = `/projects/${project}/members/${me?.user_id}`;
  expect((await call('PUT', path, { role: 'owner' }, session)).status).toBe(409);
  await signIn([]);
  expect(await membershipOf(project)).toBeUndefined();
  // An administrator may.
  await signIn(['leads']);
  expect((await call('PUT', path, { role: 'owner' })).body).toMatchObject({ origin: 'console' });
  await signIn([]);
  expect(await membershipOf(project)).toMatchObject({ role: 'owner' });
});

it('leaves the 201st member out, and signs them in', async () => {
  const project = await makeProject({ research: 'member' });
  await bed.database.query(
    `with made as (
       insert into app_user (id, email, name, password_hash, role, disabled, token_version)
       select gen_random_uuid(), 'full-' || n || '@example.com', '', '', 'member', false, 0
         from generate_series(1, 200) as n returning id
     ) insert into project_member (project_id, user_id, role) select $1, id, 'member' from made`,
    [project],
  );
  const session = await signIn(['research']);
  expect((await call('GET', '/me', undefined, session)).status).toBe(200);
  expect(await membershipOf(project)).toBeUndefined();
});

it('says which groups of a project are wrong', async () => {
  const project = await makeProject({});
  for (const [data, param] of [
    [[{ value: 'a', role: 'boss' }], 'data[0].role'],
    [[{ value: ' ', role: 'member' }], 'data[0].value'],
    [['a', 'a'].map((value) => ({ value, role: 'member' })), 'data'],
    [Array.from({ length: 51 }, (_, index) => ({ value: `${index}`, role: 'member' })), 'data'],
  ] as const) {
    expect(await call('PUT', `/projects/${project}/groups`, { data })).toMatchObject({
      status: 400,
      body: { detail: { param } },
    });
  }
});
