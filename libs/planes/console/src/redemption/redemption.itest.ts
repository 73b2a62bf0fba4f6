import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

let bed: TestBed;
let console: OpenConsole;
let admin: string;
let member: string;
let other: string;

interface Batch {
  readonly id: string;
  readonly codes: string[];
}

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  admin = await console.login(ADMIN.email, ADMIN.password);
  [member, other] = [await makeMember(), await makeMember()];
});

afterAll(() => bed.stop());

async function makeMember(): Promise<string> {
  const [email, password] = [`${newId()}@example.com`, 'a member password'];
  const body = { email, password, role: 'member' };
  await console.call('POST', '/api/v1/users', { session: admin, body });
  return console.login(email, password);
}

async function makeBatch(fields: object = {}): Promise<Batch> {
  const body = { amount: '2.50', count: 2, note: 'spring', ...fields };
  const answer = await console.call<Batch>('POST', '/api/v1/redemption-codes', { session: admin, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

function redeem(session: string, code: string | undefined) {
  return console.call<{ entry: Record<string, unknown>; balance: string }>(
    'POST',
    '/api/v1/redemption-codes/redeem',
    { session, body: { code } },
  );
}

async function balanceOf(session: string): Promise<string | undefined> {
  const { body } = await console.call<{ data: { balance: string }[] }>('GET', '/api/v1/wallets', { session });
  return body.data[0]?.balance;
}

describe('a redemption code', () => {
  it('becomes balance once, as an entry that reports where it came from', async () => {
    const { codes } = await makeBatch();
    const typed = codes[0]?.toLowerCase().replaceAll('-', ' ');
    const answers = await Promise.all([
      redeem(member, typed),
      redeem(member, codes[0]),
      redeem(member, codes[0]),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({
        entry: { kind: 'topup', amount: '2.5', note: 'redemption code: spring', request_id: null },
        balance: '2.5',
      });
    }
    expect(await balanceOf(member)).toBe('2.5');
    expect((await redeem(other, codes[0])).status).toBe(404);
    expect(await balanceOf(other)).toBe('0');
  });

  it('goes to one of two who want it at once', async () => {
    const { codes } = await makeBatch();
    const answers = await Promise.all([redeem(member, codes[1]), redeem(other, codes[1])]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404]);
  });

  it('is not told apart from an unknown one when it is expired or disabled', async () => {
    const expired = await makeBatch({ expires_at: '2020-01-01T00:00:00Z' });
    const disabled = await makeBatch();
    const change = await console.call('PATCH', `/api/v1/redemption-codes/${disabled.id}`, {
      session: admin,
      body: { disabled: true },
    });
    expect(change.body).toMatchObject({ disabled: true });
    const answers = await Promise.all(
      [expired.codes[0], disabled.codes[0], 'AAAAA-AAAAA'].map((code) => redeem(other, code)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
    const texts = answers.map(({ text, headers }) => text.replace(headers.get('x-request-id') ?? '', ''));
    expect(new Set(texts).size).toBe(1);
  });

  it('can be asked for again when billing failed', async () => {
    const { codes } = await makeBatch();
    const late = await makeMember();
    const { topUp } = bed.wallets;
    bed.wallets.topUp = () => Promise.reject(new Error('billing is away'));
    expect((await redeem(late, codes[0])).status).toBe(500);
    bed.wallets.topUp = topUp;
    expect((await redeem(late, codes[0])).body).toMatchObject({ balance: '2.5' });
    expect((await redeem(other, codes[0])).status).toBe(404);
  });

  it('is shown once, listed by its end, and stored as a hash', async () => {
    const { id, codes } = await makeBatch();
    await redeem(member, codes[0]);
    const list = await console.call('GET', '/api/v1/redemption-codes?limit=1', { session: admin });
    expect(list.text).toContain(id);
    expect(list.body).toMatchObject({ data: [{ id, count: 2, redeemed: 1, amount: '2.5' }] });
    const shown = await console.call<{ data: { hint: string; claimed_at: string | null }[] }>(
      'GET',
      `/api/v1/redemption-codes/${id}/codes`,
      { session: admin },
    );
    expect(shown.body.data.filter((code) => code.claimed_at !== null)).toHaveLength(1);
    expect(shown.body.data.map((code) => code.hint).sort()).toEqual(
      codes.map((code) => code.slice(-5)).sort(),
    );
    const audit = await console.call('GET', '/api/v1/audit', { session: admin });
    const [{ rows }] = await bed.database.query('select jsonb_agg(c)::text as rows from redemption_code c');
    for (const code of codes) {
      expect(`${list.text}${shown.text}${audit.text}${rows}${bed.logged.join('')}`).not.toContain(code);
    }
    expect(audit.text).toContain('redemption_code.redeem');
  });

  it('cannot be guessed for long', async () => {
    const guesser = await makeMember();
    const answers = await Promise.all(Array.from({ length: 12 }, () => redeem(guesser, newId())));
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(2);
  });
});
