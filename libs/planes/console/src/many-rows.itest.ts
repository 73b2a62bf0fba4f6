import { parseUsd } from '@mg/contract';
import { type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from './testing/open-test-console.js';
import { seedManyRows } from './testing/seed-many-rows.js';

const ROWS = 100_000;
const PAGE_WITHIN_MS = 100;
/** Tables that grow with every call or change: nothing that a page asks may read one from end to end. */
const LARGE = ['request_log', 'hold', 'entry', 'audit_log'];

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
  await seedManyRows(bed, payer, ROWS);
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
    node['Node Type'] === 'Seq Scan' && LARGE.includes(node['Relation Name'] ?? '')
      ? [node['Relation Name'] ?? '']
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(listScans)];
}

/** Tables that the queries of a request read from end to end. */
async function findScans(asked: readonly { text: string; values: unknown[] }[]): Promise<string[]> {
  const found: string[] = [];
  for (const { text, values } of asked) {
    if (!/^\s*select/i.test(text)) continue;
    const [row] = await bed.database.query(`explain (format json) ${text}`, values);
    found.push(...listScans(row['QUERY PLAN'][0].Plan).map((table) => `${table}: ${text}`));
  }
  return found;
}

const PAGES = [
  'logs',
  'logs?limit=200',
  'logs?model=model-7',
  'logs?model=no-such-model',
  'logs?channel=channel-3',
  'logs?status=429',
  'logs?failed=true',
  'logs?error_code=rate_limited',
  'logs?error_code=no_such_code',
  'logs?error_code=rate_limited&failed=true',
  'logs?endpoint=/v1/chat/completions',
  'logs?token_id={token}',
  'logs?user_id={user}&model=model-7&failed=true',
  'logs?from={hour_ago}',
  'logs?from={week_ago}&to={day_ago}',
  'logs/{call}',
  'wallets/{wallet}/entries',
  'wallets/{wallet}/entries?limit=200',
  'audit',
  'audit?actor_id={user}',
  'audit?action=token.change',
  'audit?target_id=nobody',
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
  };
  return page.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');
}

describe(`${ROWS} rows`, () => {
  it.each(PAGES)('%s is answered by indexes, within a moment, on every page', async (page) => {
    const [{ request_id: callId }] = await bed.database.query('select request_id from request_log limit 1');
    let path = `/api/v1/${fill(page, callId)}`;
    for (let turn = 0; turn < 2; turn += 1) {
      const tookMs: number[] = [];
      let next: string | null = null;
      for (let time = 0; time < 3; time += 1) {
        queries = [];
        const startedMs = performance.now();
        const { status, body } = await console.call<{ next_cursor?: string | null }>('GET', path, {
          session,
        });
        tookMs.push(performance.now() - startedMs);
        expect(status).toBe(200);
        next = body.next_cursor ?? null;
      }
      const asked = [...queries];
      expect(asked.filter(({ text }) => LARGE.some((table) => text.includes(table)))).not.toEqual([]);
      expect(await findScans(asked)).toEqual([]);
      expect(Math.min(...tookMs)).toBeLessThan(PAGE_WITHIN_MS);
      if (next === null) return;
      path = `${path}${path.includes('?') ? '&' : '?'}cursor=${next}`;
    }
  });

  it('notices a query that reads a table from end to end', async () => {
    expect(
      await findScans([{ text: `select * from request_log where reason = 'x'`, values: [] }]),
    ).toHaveLength(1);
  });
});
