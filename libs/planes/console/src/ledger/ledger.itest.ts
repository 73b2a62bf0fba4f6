import { newId, parseUsd } from '@mg/contract';
import { type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

/** More than two pages of an export. */
const CHARGES = 1_203;
const HOUR_MS = 3_600_000;

let bed: TestBed;
let console: OpenConsole;
let session: string;
let payer: Payer;
let other: Payer;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  payer = await seedPayer(bed.database, { balance: parseUsd('5') });
  other = await seedPayer(bed.database, { balance: parseUsd('5') });
  // One entry an hour up to now, as calls of weeks would have left them.
  await bed.database.query(
    `insert into entry (tx_id, account, wallet_id, token_id, amount, balance_after, request_id, kind, note, created_at)
     select gen_random_uuid(), 'wallet:' || $1::text, $1::uuid, $2::uuid, -1000000001, n, gen_random_uuid()::text, 'charge', $3::text,
            now() - make_interval(hours => $4::integer - n)
       from generate_series(1, $4::integer) as n`,
    [payer.walletId, payer.tokenId, '=1+1, "x"', CHARGES],
  );
});

afterAll(() => bed.stop());

async function download(path: string) {
  const { status, headers, text } = await console.call('GET', `/api/v1/${path}`, { session });
  const [header = '', ...lines] = text.trimEnd().split('\r\n');
  return { status, headers, header, lines };
}

describe('the ledger of a wallet as CSV', () => {
  it('has every entry of the list, newest first, with exact amounts and no formula', async () => {
    const { status, headers, header, lines } = await download(`wallets/${payer.walletId}/entries.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('ledger.csv');
    expect(header).toBe(
      'id,created_at,wallet_id,wallet_name,kind,amount,balance_after,token_id,request_id,task_id,note',
    );
    expect(lines.slice(0, CHARGES).every((line) => line.includes(',charge,-1.000000001,'))).toBe(true);
    expect(lines[0]).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,/);
    expect(lines[0]).toContain(payer.tokenId);
    expect(lines[0]?.endsWith(`,"'=1+1, ""x"""`)).toBe(true);
    const ids = lines.map((line) => Number(line.split(',')[0]));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
    expect(lines.some((line) => line.includes(other.walletId))).toBe(false);
  });

  it('and its list go by the same moments', async () => {
    const day = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 40 * 24 * HOUR_MS;
    const moments = [day, day + 24 * HOUR_MS].map((ms) => new Date(ms).toISOString());
    const query = `from=${moments[0]}&to=${moments[1]}`;
    const { lines } = await download(`wallets/${payer.walletId}/entries.csv?${query}`);
    expect(lines).toHaveLength(24);
    const times = lines.map((line) => line.split(',')[1] ?? '');
    expect(times.every((time) => time >= (moments[0] ?? '') && time < (moments[1] ?? ''))).toBe(true);
    const { body } = await console.call<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/wallets/${payer.walletId}/entries?${query}&limit=200`,
      { session },
    );
    expect(body.data.map(({ id }) => id)).toEqual(lines.map((line) => line.split(',')[0]));
    expect(
      (await download(`wallets/${payer.walletId}/entries.csv?from=2001-01-01&to=2001-02-01`)).lines,
    ).toEqual([]);
  });

  it('goes by any moment that there is', async () => {
    const all = await download(`wallets/${payer.walletId}/entries.csv`);
    const query = 'from=0001-01-01&to=9999-12-31T23:59:59-12:00';
    const { lines } = await download(`wallets/${payer.walletId}/entries.csv?${query}`);
    expect(lines).toEqual(all.lines);
  });

  it('is refused for what is no moment and no wallet', async () => {
    expect((await download(`wallets/${payer.walletId}/entries.csv?from=yesterday`)).status).toBe(400);
    expect((await download(`wallets/${payer.walletId}/entries.csv?limit=1`)).status).toBe(400);
    expect((await download(`wallets/${newId()}/entries.csv`)).status).toBe(404);
  });
});

describe('the ledger of all wallets as CSV', () => {
  it('names each wallet, and has no leg of the other side', async () => {
    const { lines } = await download('ledger.csv');
    const [count] = await bed.database.query<[{ n: number }]>(
      'select count(*)::integer as n from entry where wallet_id is not null',
    );
    expect(lines).toHaveLength(count.n);
    const [wallet] = await bed.database.query('select name from wallet where id = $1', [other.walletId]);
    expect(lines.some((line) => line.includes(`${other.walletId},${wallet.name},topup,5,5,`))).toBe(true);
  });
});
