import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import {
  codeOf,
  type ConfirmedFactor,
  MEMBER_PASSWORD,
  SecondFactors,
  wrongCodeOf,
} from '../testing/second-factors.js';
import type { SessionAnswer } from './session-tokens.js';

const WITHIN = { timeout: 30_000 };
const WRONG_CODES = 10;

let bed: TestBed;
let console: OpenConsole;
let factors: SecondFactors;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  factors = await SecondFactors.over(bed, console);
});

afterAll(() => bed.stop());

beforeEach(() => bed.database.query('truncate console_attempt'));

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

describe('the second step cannot be left out', () => {
  it('by a session that the password alone opened before', async () => {
    const member = await factors.makeMember();
    const [old, mine] = [(await factors.login(member.email)).body, (await factors.login(member.email)).body];
    const { secret } = (await factors.begin(mine.access_token)).body;
    const { session } = (await factors.confirm(mine.access_token, codeOf(secret))).body;
    for (const { access_token: token, refresh_token: refreshToken } of [old, mine]) {
      expect(await factors.statusOf(token)).toBe(401);
      const renewed = await console.call('POST', '/api/v1/auth/refresh', {
        body: { refresh_token: refreshToken },
      });
      expect(renewed.status).toBe(401);
    }
    expect(await factors.statusOf(session.access_token)).toBe(200);
  });

  it('by a new password, whoever sets it', async () => {
    const { id, email, session } = await factors.enrol();
    const changed = await console.call('POST', '/api/v1/me/password', {
      session: session.access_token,
      body: { current_password: MEMBER_PASSWORD, new_password: 'another password' },
    });
    expect(changed.status).toBe(200);
    expect((await factors.login(email, undefined, 'another password')).body.detail.param).toBe('code');
    await console.call('PATCH', `/api/v1/users/${id}`, {
      session: factors.admin,
      body: { password: 'a third password' },
    });
    expect((await factors.login(email, undefined, 'a third password')).body.detail.param).toBe('code');
  });

  it('by a code that was used: at the login, when it was confirmed, or to take it away', async () => {
    const member = await factors.makeMember();
    const session = await console.login(member.email, MEMBER_PASSWORD);
    const { secret } = (await factors.begin(session)).body;
    const code = codeOf(secret);
    const confirmed = await factors.confirm(session, code);
    expect((await factors.login(member.email, code)).status).toBe(401);
    expect((await factors.disable(confirmed.body.session.access_token, code)).status).toBe(400);
    await factors.letTimePass(member.id);
    expect((await factors.login(member.email, code)).status).toBe(200);
    expect((await factors.login(member.email, code)).status).toBe(401);
  });

  it('by a code of the step before the one that was used', async () => {
    const { id, email, secret } = await factors.enrol();
    const step = Math.floor(Date.now() / 30_000);
    await bed.database.query('update user_totp set last_step = $2 where user_id = $1', [id, step + 1]);
    expect((await factors.login(email, codeOf(secret))).status).toBe(401);
  });

  it('by two requests at once with one code, of the app or for recovery', async () => {
    const { email, secret, recoveryCodes } = await factors.enrol();
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const answers = await sendWhileLocked('select 1 from user_totp for update', [
        () => factors.login(email, code),
        () => factors.login(email, code),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  });

  it('by a login that was under way while it was set up', async () => {
    const member = await factors.makeMember();
    const session = await console.login(member.email, MEMBER_PASSWORD);
    let opened: SessionAnswer | undefined;
    let confirmed: ConfirmedFactor | undefined;
    await sendWhileLocked('lock table console_session in share mode', [
      async () => {
        opened = (await factors.login(member.email)).body;
      },
      async () => {
        const { secret } = (await factors.begin(session)).body;
        confirmed = (await factors.confirm(session, codeOf(secret))).body;
      },
    ]);
    expect(await factors.statusOf(opened?.access_token ?? '')).toBe(401);
    expect(await factors.statusOf(confirmed?.session.access_token ?? '')).toBe(200);
  });

  it('by another user’s secret, copied in the database', async () => {
    const [mine, theirs] = [await factors.enrol(), await factors.enrol()];
    await bed.database.query(
      `update user_totp set sealed = (select sealed from user_totp where user_id = $2) where user_id = $1`,
      [theirs.id, mine.id],
    );
    expect((await factors.login(theirs.email, codeOf(mine.secret))).status).toBe(500);
  });
});

describe('who guesses codes is slowed down', () => {
  it('as who guesses passwords is, and right passwords without a code win no tries back', async () => {
    const { email, secret } = await factors.enrol();
    const wrong = wrongCodeOf(secret);
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await factors.login(email, wrong)).status).toBe(401);
      const asked = await factors.login(email);
      expect([401, 429]).toContain(asked.status);
    }
    // As if the first attempt had come just now, however slow this machine is.
    await bed.database.query(`update console_attempt set window_ends_at = now() + interval '15 minutes'`);
    expect((await factors.login(email, wrong)).status).toBe(429);
    expect((await factors.login(email, codeOf(secret))).status).toBe(429);
  });

  it('over all addresses, but not on a device of the user’s', async () => {
    const { id, email, secret } = await factors.enrol();
    const replica = await bed.open({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const from = (address: string, code: string, cookie = '') =>
      replica.call('POST', '/api/v1/auth/login', {
        body: { email, password: MEMBER_PASSWORD, code },
        headers: { 'x-forwarded-for': address, cookie },
      });
    const signedIn = await from('203.0.113.1', codeOf(secret));
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const wrong = wrongCodeOf(secret);
    for (let turn = 0; turn < WRONG_CODES; turn += 1) {
      expect((await from(`198.51.100.${turn}`, wrong)).status).toBe(401);
    }
    await factors.letTimePass(id);
    expect((await from('198.51.100.99', codeOf(secret))).status).toBe(429);
    expect((await from('198.51.100.99', codeOf(secret), cookie)).status).toBe(200);
    const refusals = (await factors.listAudit(id)).filter(({ action }) => action === 'user.refuse_code');
    expect(refusals).toHaveLength(WRONG_CODES);
  });

  it('when they have a session, too', async () => {
    const { secret, session } = await factors.enrol();
    const wrong = wrongCodeOf(secret);
    for (let turn = 0; turn < WRONG_CODES; turn += 1) {
      expect((await factors.disable(session.access_token, wrong)).status).toBe(400);
    }
    expect((await factors.disable(session.access_token, codeOf(secret))).status).toBe(429);
  });
});
