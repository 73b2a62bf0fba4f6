import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

interface Budget {
  readonly subject_id: string;
  readonly period: string;
  readonly amount: string;
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

async function makeMember(name: string) {
  const member = { email: `${name}@example.com`, password: `password of ${name}` };
  const user = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { ...member, role: 'member', name },
  });
  const session = await console.login(member.email, member.password);
  const { body } = await console.call<{ id: string; wallet_id: string }>('POST', '/api/v1/tokens', {
    session,
    body: { name: 'budgeted', budgets: { day: '1', month: '20' } },
  });
  const set = { session: admin, body: { budgets: { week: '5' } } };
  await console.call('PATCH', `/api/v1/wallets/${body.wallet_id}`, set);
  await console.call('PATCH', `/api/v1/users/${user.body.id}`, set);
  return { session, ids: [body.id, body.wallet_id, user.body.id] };
}

async function ask(session: string, ids: readonly string[]) {
  const path = `/api/v1/budgets?ids=${ids.join(',')}`;
  return (await console.call<{ data: Budget[] }>('GET', path, { session })).body.data;
}

describe('budgets of several rows', () => {
  it('are shown at once, and to members only of keys and wallets of theirs', async () => {
    const anna = await makeMember('anna');
    const bert = await makeMember('bert');
    const all = [...anna.ids, ...bert.ids];
    const [token, wallet, user] = anna.ids;
    const own = [
      { subject_id: token, period: 'day', amount: '1' },
      { subject_id: token, period: 'month', amount: '20' },
      { subject_id: wallet, period: 'week', amount: '5' },
    ];
    const sort = (rows: readonly { subject_id: string | undefined; period: string; amount: string }[]) =>
      rows
        .map(({ subject_id, period, amount }) => `${subject_id} ${period} ${amount}`)
        .toSorted((a, b) => a.localeCompare(b));
    expect(sort(await ask(anna.session, all))).toEqual(sort(own));
    const ofUser = { subject_id: user, period: 'week', amount: '5' };
    expect(sort(await ask(admin, anna.ids))).toEqual(sort([...own, ofUser]));
    expect(await ask(admin, all)).toHaveLength(8);
  });

  it('are asked for by ids', async () => {
    expect((await console.call('GET', '/api/v1/budgets', { session: admin })).status).toBe(400);
    expect((await console.call('GET', '/api/v1/budgets?ids=x', { session: admin })).status).toBe(400);
  });
});
