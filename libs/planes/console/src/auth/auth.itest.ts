import { newId, sha256 } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { SessionAnswer } from './session-tokens.js';

const WITHIN = { timeout: 30_000 };

let bed: TestBed;
let console: OpenConsole;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
});

afterAll(() => bed.stop());

function login(email: string, password: string) {
  return console.call<SessionAnswer>('POST', '/api/v1/auth/login', { body: { email, password } });
}

async function statusOf(session: string): Promise<number> {
  return (await console.call('GET', '/api/v1/me', { session })).status;
}

/** A member with a session, made for one test. */
async function makeMember(): Promise<{ id: string; email: string; password: string }> {
  const admin = await console.login(ADMIN.email, ADMIN.password);
  const email = `${newId()}@example.com`;
  const password = 'a member password';
  const { body } = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { email, password, role: 'member' },
  });
  return { id: body.id, email, password };
}

describe('signing in', () => {
  it('answers a session that opens the caller', async () => {
    const { status, body } = await login('Admin@Example.com', ADMIN.password);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 900,
    });
    const me = await console.call('GET', '/api/v1/me', { session: body.access_token });
    expect(me.body).toEqual({
      id: expect.any(String),
      email: ADMIN.email,
      name: '',
      role: 'administrator',
      disabled: false,
      limits: {},
      budgets: {},
      created_at: expect.any(String),
    });
  });

  it('answers an unknown user, a wrong password and a disabled user alike', async () => {
    const member = await makeMember();
    const admin = await console.login(ADMIN.email, ADMIN.password);
    await console.call('PATCH', `/api/v1/users/${member.id}`, { session: admin, body: { disabled: true } });
    const answers = await Promise.all([
      login('nobody@example.com', ADMIN.password),
      login(ADMIN.email, 'wrong'),
      login(member.email, member.password),
    ]);
    const bodies = answers.map(({ status, text, headers }) => [
      status,
      text.replace(headers.get('x-request-id') ?? '', ''),
    ]);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });
});

function refresh(token: string) {
  return console.call<SessionAnswer>('POST', '/api/v1/auth/refresh', { body: { refresh_token: token } });
}

/** Asks with each token in turn while the session is held, and lets go when all of them wait: the first is served first. */
async function renewAtOnce(sessionId: string, refreshTokens: readonly string[]) {
  const runner = bed.database.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('select 1 from console_session where id = $1 for update', [sessionId]);
    const renewals: ReturnType<typeof refresh>[] = [];
    for (const token of refreshTokens) {
      renewals.push(refresh(token));
      await vi.waitFor(async () => {
        const [waiting] = await bed.database.query(
          `select count(*)::integer as count from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%console_session%'`,
        );
        expect(waiting.count).toBe(renewals.length);
      }, WITHIN);
    }
    await runner.commitTransaction();
    return await Promise.all(renewals);
  } finally {
    await runner.release();
  }
}

describe('a session', () => {
  it('is renewed by its refresh token, which opens nothing itself', async () => {
    const { body } = await login(ADMIN.email, ADMIN.password);
    expect(await statusOf(body.refresh_token)).toBe(401);
    const renewed = await refresh(body.refresh_token);
    expect(await statusOf(renewed.body.access_token)).toBe(200);
    expect((await refresh(body.access_token)).status).toBe(401);
  });

  it('T10: ends for both when a refresh token is used twice, and leaves other sessions alone', async () => {
    const member = await makeMember();
    const [stolen, other] = [
      await login(member.email, member.password),
      await login(member.email, member.password),
    ];
    const renewed = await refresh(stolen.body.refresh_token);
    expect(renewed.body.refresh_token).not.toBe(stolen.body.refresh_token);
    expect((await refresh(stolen.body.refresh_token)).status).toBe(401);
    expect(await statusOf(renewed.body.access_token)).toBe(401);
    expect((await refresh(renewed.body.refresh_token)).status).toBe(401);
    expect(await statusOf(other.body.access_token)).toBe(200);
    const kept: { refresh_hash: string }[] = await bed.database.query(
      'select refresh_hash from console_session where user_id = $1',
      [member.id],
    );
    expect(kept.map((row) => row.refresh_hash)).not.toContain(renewed.body.refresh_token);
  });

  it('is renewed once when two ask at once: both are told the same, and go on', async () => {
    const { body } = await login(ADMIN.email, ADMIN.password);
    const [session] = await bed.database.query('select id from console_session where refresh_hash = $1', [
      sha256(body.refresh_token),
    ]);
    const renewals = await renewAtOnce(session.id, [body.refresh_token, body.refresh_token]);
    expect(renewals.map((answer) => answer.status)).toEqual([200, 200]);
    expect(new Set(renewals.map((answer) => answer.body.refresh_token)).size).toBe(1);
    for (const answer of renewals) expect(await statusOf(answer.body.access_token)).toBe(200);
    expect((await refresh(renewals[0]?.body.refresh_token ?? '')).status).toBe(200);
  });

  it('ends when the token before the last comes late, among others that ask at once', async () => {
    const { body } = await login(ADMIN.email, ADMIN.password);
    const [session] = await bed.database.query('select id from console_session where refresh_hash = $1', [
      sha256(body.refresh_token),
    ]);
    const second = await refresh(body.refresh_token);
    const answers = await renewAtOnce(session.id, [second.body.refresh_token, body.refresh_token]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 401]);
    expect(await statusOf(second.body.access_token)).toBe(401);
  });

  it('ends where its owner signs out, and nowhere else', async () => {
    const member = await makeMember();
    const [one, other] = [
      await login(member.email, member.password),
      await login(member.email, member.password),
    ];
    const end = await console.call('POST', '/api/v1/auth/logout', { session: one.body.access_token });
    expect(end.status).toBe(204);
    expect(await statusOf(one.body.access_token)).toBe(401);
    expect((await refresh(one.body.refresh_token)).status).toBe(401);
    expect(await statusOf(other.body.access_token)).toBe(200);
  });

  it.each([
    [
      'a new password',
      (session: string) =>
        console.call('POST', '/api/v1/me/password', {
          session,
          body: { current_password: 'a member password', new_password: 'another password' },
        }),
    ],
  ])('ends everywhere with %s', async (_name, end) => {
    const member = await makeMember();
    const [one, other] = [
      await login(member.email, member.password),
      await login(member.email, member.password),
    ];
    expect((await end(one.body.access_token)).status).toBeLessThan(300);
    expect(await statusOf(one.body.access_token)).toBe(401);
    expect(await statusOf(other.body.access_token)).toBe(401);
    const renewed = await console.call('POST', '/api/v1/auth/refresh', {
      body: { refresh_token: other.body.refresh_token },
    });
    expect(renewed.status).toBe(401);
  });

  it('goes on with the new password', async () => {
    const member = await makeMember();
    const session = await console.login(member.email, member.password);
    const wrong = await console.call<{ detail: { param: string } }>('POST', '/api/v1/me/password', {
      session,
      body: { current_password: 'wrong', new_password: 'another password' },
    });
    expect([wrong.status, wrong.body.detail.param]).toEqual([400, 'current_password']);
    const changed = await console.call<SessionAnswer>('POST', '/api/v1/me/password', {
      session,
      body: { current_password: member.password, new_password: 'another password' },
    });
    expect(await statusOf(changed.body.access_token)).toBe(200);
    expect((await login(member.email, member.password)).status).toBe(401);
    expect((await login(member.email, 'another password')).status).toBe(200);
  });

  it('ends at once when the user is disabled', async () => {
    const member = await makeMember();
    const session = await console.login(member.email, member.password);
    const admin = await console.login(ADMIN.email, ADMIN.password);
    await console.call('PATCH', `/api/v1/users/${member.id}`, { session: admin, body: { disabled: true } });
    expect(await statusOf(session)).toBe(401);
  });
});
