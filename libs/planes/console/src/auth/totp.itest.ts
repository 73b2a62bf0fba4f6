import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { codeOf, MEMBER_PASSWORD, SecondFactors, wrongCodeOf } from '../testing/second-factors.js';

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

describe('a second factor', () => {
  it('is set up by the password and a first code, and asked for from then on', async () => {
    const member = await factors.makeMember();
    const session = await console.login(member.email, MEMBER_PASSWORD);
    expect(await factors.stateOf(session)).toEqual({
      enabled: false,
      enabled_at: null,
      recovery_codes_left: 0,
    });
    const wrong = await factors.begin(session, 'wrong');
    expect([wrong.status, wrong.body.detail.param]).toEqual([400, 'current_password']);
    const { body } = await factors.begin(session);
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
    expect((await factors.login(member.email)).status).toBe(200);

    const refused = await factors.confirm(session, wrongCodeOf(body.secret));
    expect([refused.status, refused.body.detail.param]).toEqual([400, 'code']);
    const confirmed = await factors.confirm(session, codeOf(body.secret));
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
    expect(await factors.stateOf(confirmed.body.session.access_token)).toEqual({
      enabled: true,
      enabled_at: expect.any(String),
      recovery_codes_left: 10,
    });
    const asked = await factors.login(member.email);
    expect([asked.status, asked.body.detail.code, asked.body.detail.param]).toEqual([
      401,
      'unauthenticated',
      'code',
    ]);
    expect(asked.headers.get('set-cookie')).toBeNull();
    await factors.letTimePass(member.id);
    const code = codeOf(body.secret);
    expect((await factors.login(member.email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  it('is no secret in the database, and neither are its recovery codes', async () => {
    const { id, secret, recoveryCodes } = await factors.enrol();
    const [row] = await bed.database.query(
      `select to_jsonb(t)::text || (select string_agg(c.code_hash, ' ') from user_recovery_code c where c.user_id = t.user_id)
          as stored from user_totp t where user_id = $1`,
      [id],
    );
    for (const text of [secret, ...recoveryCodes]) expect(row.stored).not.toContain(text);
    const told = JSON.stringify([await factors.listAudit(id), bed.logged]);
    for (const text of [secret, ...recoveryCodes]) expect(told).not.toContain(text);
  });

  it('lets a user in by a recovery code, typed anyhow, and by each once', async () => {
    const { id, email, recoveryCodes } = await factors.enrol();
    const [first = '', second = ''] = recoveryCodes;
    expect((await factors.login(email, first)).status).toBe(200);
    expect((await factors.login(email, first)).status).toBe(401);
    const again = await factors.login(email, second.toLowerCase().replaceAll('-', ' '));
    expect(await factors.stateOf(again.body.access_token)).toMatchObject({ recovery_codes_left: 8 });
    const used = (await factors.listAudit(id)).filter(({ action }) => action === 'user.use_recovery_code');
    expect(used.map(({ after }) => after)).toEqual([{ recovery_codes_left: 9 }, { recovery_codes_left: 8 }]);
    const other = await factors.enrol();
    expect((await factors.login(other.email, recoveryCodes[2] ?? '')).status).toBe(401);
  });

  it('is taken away by the password and a code, not by either alone', async () => {
    const { id, email, secret, session } = await factors.enrol();
    const token = session.access_token;
    expect((await factors.disable(token, codeOf(secret), 'wrong')).body.detail.param).toBe(
      'current_password',
    );
    expect((await factors.disable(token, wrongCodeOf(secret))).body.detail.param).toBe('code');
    expect((await factors.begin(token)).status).toBe(409);
    expect((await factors.disable(token, codeOf(secret))).status).toBe(204);
    expect((await factors.login(email)).status).toBe(200);
    expect((await factors.disable(token, codeOf(secret))).status).toBe(409);
    const [kept] = await bed.database.query(
      'select count(*)::integer as count from user_recovery_code where user_id = $1',
      [id],
    );
    expect(kept.count).toBe(0);
    expect((await factors.listAudit(id)).map(({ action }) => action)).toEqual([
      'user.begin_totp',
      'user.enable_totp',
      'user.refuse_code',
      'user.disable_totp',
    ]);
  });

  it('is taken away by an administrator from another, with their sessions, and never from themselves', async () => {
    const { id, email, session } = await factors.enrol();
    const path = `/api/v1/users/${id}/totp`;
    expect((await console.call('DELETE', path, { session: session.access_token })).status).toBe(403);
    const state = await console.call('GET', path, { session: factors.admin });
    expect(state.body).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    expect((await console.call('DELETE', path, { session: factors.admin })).status).toBe(204);
    expect(await factors.statusOf(session.access_token)).toBe(401);
    expect((await factors.login(email)).status).toBe(200);
    expect((await console.call('DELETE', path, { session: factors.admin })).status).toBe(404);
    expect((await factors.listAudit(id)).at(-1)).toMatchObject({
      action: 'user.reset_totp',
      actor_email: ADMIN.email,
    });
    const { body: me } = await console.call<{ id: string }>('GET', '/api/v1/me', { session: factors.admin });
    const own = await console.call('DELETE', `/api/v1/users/${me.id}/totp`, { session: factors.admin });
    expect(own.status).toBe(409);
  });

  it('cannot be confirmed an hour after its secret was shown', async () => {
    const member = await factors.makeMember();
    const session = await console.login(member.email, MEMBER_PASSWORD);
    const { secret } = (await factors.begin(session)).body;
    await bed.database.query(
      `update user_totp set begun_at = now() - interval '61 minutes' where user_id = $1`,
      [member.id],
    );
    expect((await factors.confirm(session, codeOf(secret))).status).toBe(409);
    const next = (await factors.begin(session)).body;
    expect((await factors.confirm(session, codeOf(secret))).status).toBe(400);
    expect((await factors.confirm(session, codeOf(next.secret))).status).toBe(200);
  });
});
