import { newId, parseUsd } from '@mg/contract';
import { TaskLedger } from '@mg/persistence/billing';
import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

type Row = Readonly<Record<string, unknown>>;

interface List {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  const payers: Payer[] = [];
  for (const balance of ['5', '0.000000001', '5', '12']) {
    payers.push(await seedPayer(bed.database, { balance: parseUsd(balance), quota: parseUsd(balance) }));
  }
  const rename = (table: string, name: string, id: string | undefined) =>
    bed.database.query(`update ${table} set name = $1 where id = $2`, [name, id]);
  const names = ['beta', 'Alpha', 'alpha', 'Ünal'];
  for (const [at, payer] of payers.entries()) {
    await rename('app_user', names[at] ?? '', payer.userId);
    await rename('token', names[at] ?? '', payer.tokenId);
    await rename('wallet', `${names[at]} ${at}`, payer.walletId);
    await new TaskLedger(bed.database).openTask(buildTaskRequest(payer));
    await console.call('POST', '/api/v1/channels', {
      session,
      body: { name: `channel ${names[at]}`, type: 'openai', api_key: 'sk-a', priority: at % 2 },
    });
  }
  await bed.database.query('update token set spending_quota = null where id = $1', [payers[0]?.tokenId]);
}, 60_000);

afterAll(() => bed.stop());

async function ask(path: string) {
  return console.call<List>('GET', `/api/v1/${path}`, { session });
}

/** Every row of a list, page by page of two. */
async function readPages(list: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await ask(`${list}&limit=2${after}`);
    expect([list, status]).toEqual([list, 200]);
    rows.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return rows;
}

const keyOf = (row: Row) => String(row['id'] ?? row['slug']);
const lower = (name: string) => (row: Row) => String(row[name]).toLowerCase();
const usd = (name: string) => (row: Row) => parseUsd(String(row[name]));
const plain = (name: string) => (row: Row) => row[name] as string | number | boolean;
const quota = (row: Row) =>
  row['spending_quota'] === null ? 2n ** 63n : parseUsd(String(row['spending_quota']));

const ORDERS: readonly (readonly [list: string, sort: string, by: (row: Row) => unknown])[] = [
  ['users', 'created', keyOf],
  ['users', 'email', plain('email')],
  ['users', 'name', lower('name')],
  ['users', 'role', plain('role')],
  ['users', 'state', plain('disabled')],
  ['tokens', 'created', keyOf],
  ['tokens', 'name', lower('name')],
  ['tokens', 'used', usd('used')],
  ['tokens', 'quota', quota],
  ['wallets', 'created', keyOf],
  ['wallets', 'name', lower('name')],
  ['wallets', 'balance', usd('balance')],
  ['wallets', 'held', usd('held')],
  ['wallets', 'credit_limit', usd('credit_limit')],
  ['wallets', 'available', usd('available')],
  ['channels', 'created', keyOf],
  ['channels', 'name', lower('name')],
  ['channels', 'type', plain('type')],
  ['channels', 'priority', plain('priority')],
  ['models', 'slug', keyOf],
  ['models', 'kind', plain('kind')],
  ['models', 'state', plain('state')],
  ['tasks', 'created', keyOf],
  ['tasks', 'model', plain('model')],
  ['tasks', 'seconds', plain('seconds')],
  ['tasks', 'charged', (row) => parseUsd(String(row['charged'] ?? '0'))],
];

/** Postgres sorts texts by its own rules: what is compared is that each sort value comes in one piece, once up and once down. */
function piecesOf(rows: readonly Row[], by: (row: Row) => unknown): unknown[] {
  const values = rows.map(by);
  return values.filter((value, at) => at === 0 || value !== values[at - 1]);
}

/** Texts aside. */
function isAscending(values: readonly unknown[]): boolean {
  return values.every(
    (value, at) => at === 0 || typeof value === 'string' || (value as bigint) >= (values[at - 1] as bigint),
  );
}

describe('a sorted list', () => {
  it.each(ORDERS)('of %s by %s has every row once, page by page, up and down', async (list, sort, by) => {
    const up = await readPages(`${list}?sort=${sort}&order=asc`);
    const down = await readPages(`${list}?sort=${sort}&order=desc`);
    const whole = (await ask(`${list}?limit=200`)).body.data;
    expect(up.map(keyOf).toSorted()).toEqual(whole.map(keyOf).toSorted());
    expect(down.map(keyOf)).toEqual(up.map(keyOf).toReversed());
    const values = up.map(by);
    expect(piecesOf(up, by)).toHaveLength(new Set(values).size);
    expect(isAscending(values)).toBe(true);
  });

  it('goes on where it was, although the last row of the page has moved or is gone', async () => {
    const order = 'wallets?sort=balance&order=desc&limit=2';
    const first = (await ask(order)).body;
    const next = async () =>
      (await ask(`${order}&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)).body.data.map(keyOf);
    const before = await next();
    await bed.database.query(`update wallet set balance = balance - 1 where id = $1`, [
      first.data[1]?.['id'],
    ]);
    expect(await next()).toEqual([first.data[1]?.['id'], ...before.slice(0, 1)]);
  });

  it('is searched by a part of the name, in any case', async () => {
    const found = async (path: string) =>
      (await ask(path)).body.data.map((row) => row['name'] ?? row['slug']);
    expect(await found('channels?search=L%20ALPHA&sort=priority')).toEqual([
      'channel Alpha',
      'channel alpha',
    ]);
    expect(await found('channels?search=ch_nnel')).toEqual([]);
    for (const list of ['models', 'catalog']) {
      expect(await found(`${list}?search=Box-Emb`)).toEqual(['sandbox-embedding']);
    }
    expect(await found('catalog?search=chat&slugs=sandbox-embedding')).toEqual([]);
  });

  it.each([
    ['wallets?sort=balances', 'sort'],
    ['wallets?sort=name;drop', 'sort'],
    ['wallets?order=up', 'order'],
    [`wallets?sort=name&cursor=${newId()}`, 'cursor'],
    [`wallets?sort=balance&cursor=${newId()}~99999999999999999999`, 'cursor'],
    [`wallets?sort=balance&cursor=${newId()}~tYQ`, 'cursor'],
    [`wallets?sort=name&cursor=${newId()}~tAA`, 'cursor'],
    [`wallets?sort=name&cursor=none~tYQ`, 'cursor'],
    [`users?cursor=${newId()}~1`, 'cursor'],
    ['models?cursor=-', 'cursor'],
    [`tasks?sort=charged&cursor=${newId()}`, 'cursor'],
  ])('is refused: %s', async (path, param) => {
    const { status, body } = await console.call('GET', `/api/v1/${path}`, { session });
    expect(status).toBe(400);
    expect(body).toMatchObject({ detail: { param } });
  });
});
