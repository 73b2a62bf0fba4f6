import { newId } from '@mg/contract';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { SessionAnswer } from './session-tokens.js';

const WITHIN = { timeout: 30_000 };
const PASSWORD = 'a member password';
const WRONG_CODES = 10;

interface Refused {
  readonly detail: { readonly code: string; readonly param?: string };
}

interface Confirmed {
  readonly recovery_codes: string[];
  readonly session: SessionAnswer;
}

interface Member {
  readonly id: string;
  readonly email: string;
}

/** A member who signs in with a code. */
interface Enrolled extends Member {
  readonly secret: string;
  readonly recoveryCodes: string[];
  /** The one that confirming opened. */
  readonly session: SessionAnswer;
}

let bed: TestBed;
let console: OpenConsole;
let admin: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  admin = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

beforeEach(() => bed.database.query('truncate console_attempt'));

async function makeMember(): Promise<Member> {
  const email = `${newId()}@example.com`;
  const { body } = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { email, password: PASSWORD, role: 'member' },
  });
  return { id: body.id, email };
}

function login(email: string, code?: string, password = PASSWORD) {
  const body = code === undefined ? { email, password } : { email, password, code };
  return console.call<SessionAnswer & Refused>('POST', '/api/v1/auth/login', { body });
}

function post<Body>(session: string, path: string, body: object) {
  return console.call<Body>('POST', `/api/v1/me${path}`, { session, body });
}

const begin = (session: string, password = PASSWORD) =>
  post<{ secret: string; otpauth_uri: string } & Refused>(session, '/totp', { current_password: password });
const confirm = (session: string, code: string) =>
  post<Confirmed & Refused>(session, '/totp/confirm', { code });
const disable = (session: string, code: string, password = PASSWORD) =>
  post<Refused>(session, '/totp/disable', { current_password: password, code });

function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

/** A code that is wrong now and a step before and after. */
function wrongCodeOf(secret: string): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const candidates = Array.from({ length: 4 }, (_, at) => String(at).padStart(6, '0'));
  return candidates.find((token) => totp.validate({ token, window: 3 }) === null) ?? '';
}

/** As if the codes that were used so far were of long ago. */
function letTimePass(userId: string): Promise<unknown> {
  return bed.database.query('update user_totp set last_step = 0 where user_id = $1', [userId]);
}

async function enrol(): Promise<Enrolled> {
  const member = await makeMember();
  const session = await console.login(member.email, PASSWORD);
  const { secret } = (await begin(session)).body;
  const confirmed = await confirm(session, codeOf(secret));
  expect(confirmed.status).toBe(200);
  await letTimePass(member.id);
  return {
    ...member,
    secret,
    recoveryCodes: confirmed.body.recovery_codes,
    session: confirmed.body.session,
  };
}

async function statusOf(session: string): Promise<number> {
  return (await console.call('GET', '/api/v1/me', { session })).status;
}

async function stateOf(session: string) {
  return (await console.call('GET', '/api/v1/me/totp', { session })).body;
}

/** What the audit log says of a user's second factor, oldest first. */
async function listAudit(userId: string) {
  const { body } = await console.call<{ data: { action: string; actor_email: string; after: unknown }[] }>(
    'GET',
    `/api/v1/audit?target_id=${userId}&limit=100`,
    { session: admin },
  );
  return body.data.toReversed().filter(({ action }) => !['user.create', 'user.change'].includes(action));
}

/** Sends requests one after the other while a statement's locks make them wait, then lets them go on together. */
async function sendWhileLocked<Result>(
  lock: string,
  requests: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const runner = bed.database.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(lock);
    const sent: Promise<Result>[] = [];
    for (const send of requests) {
      sent.push(send());
      await vi.waitFor(async () => {
        const [row] = await bed.database.query<{ count: number }[]>(
          `select count(*)::integer as count from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(row?.count).toBe(sent.length);
      }, WITHIN);
    }
    await runner.commitTransaction();
    return await Promise.all(sent);
  } finally {
    await runner.release();
  }
}

describe('a second factor', () => {
  it('is set up by the password and a first code, and asked for from then on', async () => {
    const member = await makeMember();
    const session = await console.login(member.email, PASSWORD);
    expect(await stateOf(session)).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0 });
    const wrong = await begin(session, 'wrong');
    expect([wrong.status, wrong.body.detail.param]).toEqual([400, 'current_password']);
    const { body } = await begin(session);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(body.otpauth_uri);
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Model Gateway:${member.email}`,
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Model Gateway',
      secret: body.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    // Nobody is asked for codes of an app that may not have the secret.
    expect((await login(member.email)).status).toBe(200);

    const refused = await confirm(session, wrongCodeOf(body.secret));
    expect([refused.status, refused.body.detail.param]).toEqual([400, 'code']);
    const confirmed = await confirm(session, codeOf(body.secret));
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
    expect(await stateOf(confirmed.body.session.access_token)).toEqual({
      enabled: true,
      enabled_at: expect.any(String),
      recovery_codes_left: 10,
    });
    const asked = await login(member.email);
    expect([asked.status, asked.body.detail.code, asked.body.detail.param]).toEqual([
      401,
      'unauthenticated',
      'code',
    ]);
    expect(asked.headers.get('set-cookie')).toBeNull();
    await letTimePass(member.id);
    const code = codeOf(body.secret);
    expect((await login(member.email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  it('is no secret in the database, and neither are its recovery codes', async () => {
    const { id, secret, recoveryCodes } = await enrol();
    const [row] = await bed.database.query(
      `select to_jsonb(t)::text || (select string_agg(c.code_hash, ' ') from user_recovery_code c where c.user_id = t.user_id)
          as stored from user_totp t where user_id = $1`,
      [id],
    );
    for (const text of [secret, ...recoveryCodes]) expect(row.stored).not.toContain(text);
    const told = JSON.stringify([await listAudit(id), bed.logged]);
    for (const text of [secret, ...recoveryCodes]) expect(told).not.toContain(text);
  });

  it('lets a user in by a recovery code, typed anyhow, and by each once', async () => {
    const { id, email, recoveryCodes } = await enrol();
    const [first = '', second = ''] = recoveryCodes;
    expect((await login(email, first)).status).toBe(200);
    expect((await login(email, first)).status).toBe(401);
    const again = await login(email, second.toLowerCase().replaceAll('-', ' '));
    expect(await stateOf(again.body.access_token)).toMatchObject({ recovery_codes_left: 8 });
    const used = (await listAudit(id)).filter(({ action }) => action === 'user.use_recovery_code');
    expect(used.map(({ after }) => after)).toEqual([{ recovery_codes_left: 9 }, { recovery_codes_left: 8 }]);
    const other = await enrol();
    expect((await login(other.email, recoveryCodes[2] ?? '')).status).toBe(401);
  });

  it('is taken away by the password and a code, not by either alone', async () => {
    const { id, email, secret, session } = await enrol();
    const token = session.access_token;
    expect((await disable(token, codeOf(secret), 'wrong')).body.detail.param).toBe('current_password');
    expect((await disable(token, wrongCodeOf(secret))).body.detail.param).toBe('code');
    expect((await begin(token)).status).toBe(409);
    expect((await disable(token, codeOf(secret))).status).toBe(204);
    expect((await login(email)).status).toBe(200);
    expect((await disable(token, codeOf(secret))).status).toBe(409);
    const [kept] = await bed.database.query(
      'select count(*)::integer as count from user_recovery_code where user_id = $1',
      [id],
    );
    expect(kept.count).toBe(0);
    expect((await listAudit(id)).map(({ action }) => action)).toEqual([
      'user.begin_totp',
      'user.enable_totp',
      'user.refuse_code',
      'user.disable_totp',
    ]);
  });

  it('is taken away by an administrator from another, with their sessions, and never from themselves', async () => {
    const { id, email, session } = await enrol();
    const path = `/api/v1/users/${id}/totp`;
    expect((await console.call('DELETE', path, { session: session.access_token })).status).toBe(403);
    const state = await console.call('GET', path, { session: admin });
    expect(state.body).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    expect((await console.call('DELETE', path, { session: admin })).status).toBe(204);
    expect(await statusOf(session.access_token)).toBe(401);
    expect((await login(email)).status).toBe(200);
    expect((await console.call('DELETE', path, { session: admin })).status).toBe(404);
    expect((await listAudit(id)).at(-1)).toMatchObject({
      action: 'user.reset_totp',
      actor_email: ADMIN.email,
    });
    const { body: me } = await console.call<{ id: string }>('GET', '/api/v1/me', { session: admin });
    const own = await console.call('DELETE', `/api/v1/users/${me.id}/totp`, { session: admin });
    expect(own.status).toBe(409);
  });

  it('cannot be confirmed an hour after its secret was shown', async () => {
    const member = await makeMember();
    const session = await console.login(member.email, PASSWORD);
    const { secret } = (await begin(session)).body;
    await bed.database.query(
      `update user_totp set begun_at = now() - interval '61 minutes' where user_id = $1`,
      [member.id],
    );
    expect((await confirm(session, codeOf(secret))).status).toBe(409);
    const next = (await begin(session)).body;
    expect((await confirm(session, codeOf(secret))).status).toBe(400);
    expect((await confirm(session, codeOf(next.secret))).status).toBe(200);
  });
});

describe('the second step cannot be left out', () => {
  it('by a session that the password alone opened before', async () => {
    const member = await makeMember();
    const [old, mine] = [(await login(member.email)).body, (await login(member.email)).body];
    const { secret } = (await begin(mine.access_token)).body;
    const { session } = (await confirm(mine.access_token, codeOf(secret))).body;
    for (const { access_token: token, refresh_token: refreshToken } of [old, mine]) {
      expect(await statusOf(token)).toBe(401);
      const renewed = await console.call('POST', '/api/v1/auth/refresh', {
        body: { refresh_token: refreshToken },
      });
      expect(renewed.status).toBe(401);
    }
    expect(await statusOf(session.access_token)).toBe(200);
  });

  it('by a new password, whoever sets it', async () => {
    const { id, email, session } = await enrol();
    const changed = await post<SessionAnswer>(session.access_token, '/password', {
      current_password: PASSWORD,
      new_password: 'another password',
    });
    expect(changed.status).toBe(200);
    expect((await login(email, undefined, 'another password')).body.detail.param).toBe('code');
    await console.call('PATCH', `/api/v1/users/${id}`, {
      session: admin,
      body: { password: 'a third password' },
    });
    expect((await login(email, undefined, 'a third password')).body.detail.param).toBe('code');
  });

  it('by a code that was used: at the login, when it was confirmed, or to take it away', async () => {
    const member = await makeMember();
    const session = await console.login(member.email, PASSWORD);
    const { secret } = (await begin(session)).body;
    const code = codeOf(secret);
    const confirmed = await confirm(session, code);
    expect((await login(member.email, code)).status).toBe(401);
    expect((await disable(confirmed.body.session.access_token, code)).status).toBe(400);
    await letTimePass(member.id);
    expect((await login(member.email, code)).status).toBe(200);
    expect((await login(member.email, code)).status).toBe(401);
  });

  it('by a code of the step before the one that was used', async () => {
    const { id, email, secret } = await enrol();
    const step = Math.floor(Date.now() / 30_000);
    await bed.database.query('update user_totp set last_step = $2 where user_id = $1', [id, step + 1]);
    expect((await login(email, codeOf(secret))).status).toBe(401);
  });

  it('by two requests at once with one code, of the app or for recovery', async () => {
    const { email, secret, recoveryCodes } = await enrol();
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const answers = await sendWhileLocked('select 1 from user_totp for update', [
        () => login(email, code),
        () => login(email, code),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  });

  it('by a login that was under way while it was set up', async () => {
    const member = await makeMember();
    const session = await console.login(member.email, PASSWORD);
    let opened: SessionAnswer | undefined;
    let confirmed: Confirmed | undefined;
    await sendWhileLocked('lock table console_session in share mode', [
      async () => {
        opened = (await login(member.email)).body;
      },
      async () => {
        const { secret } = (await begin(session)).body;
        confirmed = (await confirm(session, codeOf(secret))).body;
      },
    ]);
    expect(await statusOf(opened?.access_token ?? '')).toBe(401);
    expect(await statusOf(confirmed?.session.access_token ?? '')).toBe(200);
  });

  it('by another user’s secret, copied in the database', async () => {
    const [mine, theirs] = [await enrol(), await enrol()];
    await bed.database.query(
      `update user_totp set sealed = (select sealed from user_totp where user_id = $2) where user_id = $1`,
      [theirs.id, mine.id],
    );
    expect((await login(theirs.email, codeOf(mine.secret))).status).toBe(500);
  });
});

describe('who guesses codes is slowed down', () => {
  it('as who guesses passwords is, and right passwords without a code win no tries back', async () => {
    const { email, secret } = await enrol();
    const wrong = wrongCodeOf(secret);
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await login(email, wrong)).status).toBe(401);
      const asked = await login(email);
      expect([401, 429]).toContain(asked.status);
    }
    // As if the first attempt had come just now, however slow this machine is.
    await bed.database.query(`update console_attempt set window_ends_at = now() + interval '15 minutes'`);
    expect((await login(email, wrong)).status).toBe(429);
    expect((await login(email, codeOf(secret))).status).toBe(429);
  });

  it('over all addresses, but not on a device of the user’s', async () => {
    const { id, email, secret } = await enrol();
    const replica = await bed.open({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const from = (address: string, code: string, cookie = '') =>
      replica.call('POST', '/api/v1/auth/login', {
        body: { email, password: PASSWORD, code },
        headers: { 'x-forwarded-for': address, cookie },
      });
    const signedIn = await from('203.0.113.1', codeOf(secret));
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const wrong = wrongCodeOf(secret);
    for (let turn = 0; turn < WRONG_CODES; turn += 1) {
      expect((await from(`198.51.100.${turn}`, wrong)).status).toBe(401);
    }
    await letTimePass(id);
    expect((await from('198.51.100.99', codeOf(secret))).status).toBe(429);
    expect((await from('198.51.100.99', codeOf(secret), cookie)).status).toBe(200);
    const refusals = (await listAudit(id)).filter(({ action }) => action === 'user.refuse_code');
    expect(refusals).toHaveLength(WRONG_CODES);
  });

  it('when they have a session, too', async () => {
    const { secret, session } = await enrol();
    const wrong = wrongCodeOf(secret);
    for (let turn = 0; turn < WRONG_CODES; turn += 1) {
      expect((await disable(session.access_token, wrong)).status).toBe(400);
    }
    expect((await disable(session.access_token, codeOf(secret))).status).toBe(429);
  });
});
