import { parseUsd } from '@mg/contract';
import { UsageRollups, WalletLedger } from '@mg/persistence/billing';
import { type Payer, seedManyRows, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from './testing/open-test-console.js';

const ROWS = 12_000;
// The plans are looked at; the time is only there to show what they do not, on a machine that does other things too.
const PAGE_WITHIN_MS = 100;
const SUMS_WITHIN_MS = 150;
const MAX_TRIES = 50;
/** Tables that grow with every call or change: nothing that a page asks may read one from end to end. */
const LARGE = ['request_log', 'hold', 'entry', 'task', 'audit_log'];
/** These, and the partitions that have their rows. */
let scanned: ReadonlySet<string>;

let bed: TestBed;
let console: OpenConsole;
let session: string;
let payer: Payer;
let queries: { text: string; values: unknown[] }[] = [];

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  payer = await seedPayer(bed.database, { balance: parseUsd('5'), price: { input_per_million: '1' } });
  await seedManyRows(bed.database, payer, ROWS);
  const usage = new UsageRollups(bed.database);
  while ((await usage.aggregate(20_000)) > 0);
  await bed.database.query('vacuum analyze usage_cell, usage_change');
  const large = await bed.database.query<{ name: string }[]>(
    `select relname as name from pg_class where relkind = 'r' and reltuples > 1000`,
  );
  scanned = new Set(
    large.map(({ name }) => name).filter((name) => LARGE.some((table) => name.startsWith(table))),
  );
  const missing = LARGE.filter((table) => ![...scanned].some((name) => name.startsWith(table)));
  if (missing.length > 0) throw new Error(`Too few rows to see how these are read: ${missing.join(', ')}`);
  const ignore = () => undefined;
  bed.consoleDatabase.setOptions({
    logging: ['query'],
    logger: {
      logQuery: (text, values) =>
        void queries.push({ text, values: (values as unknown[] | undefined) ?? [] }),
      logQueryError: ignore,
      logQuerySlow: ignore,
      logSchemaBuild: ignore,
      logMigration: ignore,
      log: ignore,
    },
  });
}, 120_000);

afterAll(() => bed.stop());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

function listScans(node: PlanNode): string[] {
  const own =
    node['Node Type'] === 'Seq Scan' && scanned.has(node['Relation Name'] ?? '')
      ? [node['Relation Name'] ?? '']
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(listScans)];
}

/** Tables that the queries of a request read from end to end. */
async function findScans(asked: readonly { text: string; values: unknown[] }[]): Promise<string[]> {
  const found: string[] = [];
  for (const { text, values } of asked) {
    if (!/^\s*(select|with)/i.test(text)) continue;
    const [row] = await bed.database.query(`explain (format json) ${text}`, values);
    found.push(...listScans(row['QUERY PLAN'][0].Plan).map((table) => `${table}: ${text}`));
  }
  return found;
}

const LOG_FILTERS = [
  'model=model-7',
  'status=429',
  'endpoint=/v1/chat/completions',
  'token_id={token}',
  'from={week_ago}',
  'to={day_ago}',
];
const TASK_FILTERS = ['state=succeeded', 'model=model-10', 'token_id={token}'];
const AUDIT_FILTERS = ['action=token.change', 'actor_id={user}', 'target_type=token', 'target_id=nobody'];

/** Every way in which a page's filters can be set together. */
function combine(filters: readonly string[]): string[] {
  return filters.reduce((ways, filter) => [...ways, ...ways.map((way) => `${way}&${filter}`)], ['']);
}

/** What the page's lists ask: every combination of their filters. */
const LISTS = [
  ...combine(LOG_FILTERS).map((filters) => `logs?limit=50${filters}`),
  ...combine(TASK_FILTERS).map((filters) => `tasks?limit=50${filters}`),
  ...combine(AUDIT_FILTERS).map((filters) => `audit?limit=50${filters}`),
  'wallets/{wallet}/entries?limit=50',
  'wallets/{wallet}/entries?limit=50&from={week_ago}&to={day_ago}',
  'logs/{call}',
];

/** What the API can be asked beside it. */
const PAGES = [
  'logs?limit=200',
  'logs?model=no-such-model',
  'logs?channel=channel-3',
  'logs?failed=true',
  'logs?error_code=rate_limited',
  'logs?error_code=no_such_code',
  'logs?error_code=rate_limited&failed=true',
  'logs?error_class=server&from={week_ago}',
  'logs?user_id={user}&model=model-7&failed=true',
  'logs?from={hour_ago}',
  'logs?sort=cost&from={hour_ago}',
  'logs?sort=latency&model=model-7&from={hour_ago}',
  'logs?min_cost=0.01&from={hour_ago}',
  'logs?failed_over=true&from={hour_ago}',
  'wallets/{wallet}/entries?limit=200',
  'tasks?sort=charged',
  'tasks?sort=charged&order=asc&state=succeeded',
  'tasks?sort=seconds',
  'tasks?sort=model&order=asc',
];

const SUMS = [
  'system',
  'usage',
  ...['all', 'day', 'model', 'token', 'user', 'channel'].map(
    (key) => `usage?group_by=${key}&from={month_ago}`,
  ),
  'usage?group_by=model&from={week_ago}&to={day_ago}',
  'usage/series?bucket=day&from={month_ago}',
  'usage/series?bucket=hour',
  'usage/series?bucket=hour&model=model-7',
];

function fill(page: string, callId: string): string {
  const before = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const values: Record<string, string> = {
    token: payer.tokenId,
    user: payer.userId,
    wallet: payer.walletId,
    call: callId,
    hour_ago: before(1),
    day_ago: before(24),
    week_ago: before(7 * 24),
    month_ago: before(30 * 24),
  };
  return page.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');
}

/**
 * Asks until an answer came within so many milliseconds, which a slow plan never does and a busy machine seldom: how long the
 * quickest took, and what the database was asked.
 */
async function ask(path: string, withinMs: number) {
  let quickestMs = Number.POSITIVE_INFINITY;
  let next: string | null = null;
  for (let tries = 0; tries < MAX_TRIES && quickestMs >= withinMs; tries += 1) {
    queries = [];
    const startedMs = performance.now();
    const { status, body } = await console.call<{ next_cursor?: string | null }>('GET', path, { session });
    quickestMs = Math.min(quickestMs, performance.now() - startedMs);
    expect([path, status]).toEqual([path, 200]);
    next = body.next_cursor ?? null;
  }
  return { quickestMs, asked: [...queries], next };
}

async function fillIn(path: string): Promise<string> {
  const [{ request_id: callId }] = await bed.database.query('select request_id from request_log limit 1');
  return `/api/v1/${fill(path, callId)}`;
}

describe(`${ROWS} rows`, () => {
  it.each([...LISTS, ...PAGES])('%s is answered by indexes, within a moment, on every page', async (page) => {
    let path = await fillIn(page);
    for (let turn = 0; turn < 2; turn += 1) {
      const { quickestMs, asked, next } = await ask(path, PAGE_WITHIN_MS);
      expect(asked.filter(({ text }) => LARGE.some((table) => text.includes(table)))).not.toEqual([]);
      expect(await findScans(asked)).toEqual([]);
      expect(quickestMs).toBeLessThan(PAGE_WITHIN_MS);
      if (next === null) return;
      path = `${path}${path.includes('?') ? '&' : '?'}cursor=${next}`;
    }
  });

  it.each(SUMS)('%s is answered by sums that are kept', async (page) => {
    const { quickestMs, asked } = await ask(await fillIn(page), SUMS_WITHIN_MS);
    expect(await findScans(asked)).toEqual([]);
    expect(quickestMs).toBeLessThan(SUMS_WITHIN_MS);
  });

  it('leaves the ledger balanced', async () => {
    expect(await new WalletLedger(bed.database).findDrift()).toEqual([]);
  });

  it('notices a query that reads a table from end to end', async () => {
    expect(
      await findScans([{ text: `select * from request_log where reason = 'x'`, values: [] }]),
    ).not.toEqual([]);
  });
});
