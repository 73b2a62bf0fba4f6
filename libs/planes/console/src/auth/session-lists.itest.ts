import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

interface Listed {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
}

const MEMBER = { email: 'member@example.com', password: 'password of a member' };

let bed: TestBed;
let console: OpenConsole;
let admin: string;
let memberId: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  admin = await console.login(ADMIN.email, ADMIN.password);
  const made = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { ...MEMBER, role: 'member' },
  });
  memberId = made.body.id;
});

afterAll(() => bed.stop());

const list = async (session: string, path = 'me') =>
  (await console.call<{ data: Listed[] }>('GET', `/api/v1/${path}/sessions`, { session })).body.data;
const end = (session: string, id: string, path = 'me') =>
  console.call('DELETE', `/api/v1/${path}/sessions/${id}`, { session });

describe('sessions', () => {
  it('are listed to their user, who ends one: it is over at once', async () => {
    const [first, second] = [
      await console.login(MEMBER.email, MEMBER.password),
      await console.login(MEMBER.email, MEMBER.password),
    ];
    const sessions = await list(second);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const other = sessions.find(({ current }) => !current);
    expect((await end(second, other?.id ?? '')).status).toBe(204);
    expect((await console.call('GET', '/api/v1/me', { session: first })).status).toBe(401);
    expect(await list(second)).toHaveLength(1);
    expect((await end(second, other?.id ?? '')).status).toBe(404);
  });

  it('of others are ended by administrators alone', async () => {
    const session = await console.login(MEMBER.email, MEMBER.password);
    const [adminSession] = await list(admin);
    expect((await end(session, adminSession?.id ?? '')).status).toBe(404);
    expect((await console.call('GET', `/api/v1/users/${memberId}/sessions`, { session })).status).toBe(403);
    for (const { id } of await list(admin, `users/${memberId}`)) {
      expect((await end(admin, id, `users/${memberId}`)).status).toBe(204);
    }
    expect((await console.call('GET', '/api/v1/me', { session })).status).toBe(401);
    expect(await list(admin, `users/${memberId}`)).toEqual([]);
    const audit = await console.call<{ data: object[] }>('GET', '/api/v1/audit?action=session.end&limit=1', {
      session: admin,
    });
    expect(audit.body.data).toMatchObject([{ actor_email: ADMIN.email, before: { user_id: memberId } }]);
  });
});
