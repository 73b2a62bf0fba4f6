import { newId, NO_USAGE, parseUsd, type RequestLogRow, type Usage } from '@mg/contract';
import { WalletLedger } from '@mg/persistence/billing';
import { writeRequestLog } from '@mg/persistence/gateway';
import { type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { LogView } from './log-view.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;
let payer: Payer;
let ledger: WalletLedger;

const price = { input_per_million: '0.25', output_per_million: '2' };
const usage: Usage = { ...NO_USAGE, inputTokens: 1_000, outputTokens: 10 };

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  payer = await seedPayer(bed.database, { balance: parseUsd('5'), price });
  ledger = new WalletLedger(bed.database);
});

afterAll(() => bed.stop());

/** An id as it is made at that moment. */
function idAt(moment: Date): string {
  const at = moment.getTime().toString(16).padStart(12, '0');
  return `${at.slice(0, 8)}-${at.slice(8)}${newId().slice(13)}`;
}

async function log(row: Partial<RequestLogRow> = {}): Promise<string> {
  const requestId = row.requestId ?? idAt(row.createdAt ?? new Date());
  await writeRequestLog(bed.database, [
    {
      createdAt: new Date(),
      userId: payer.userId,
      tokenId: payer.tokenId,
      tokenName: 'test',
      walletId: payer.walletId,
      model: payer.model,
      endpoint: '/v1/chat/completions',
      channel: 'main',
      status: 200,
      errorCode: undefined,
      stream: true,
      latencyMs: 120,
      ttftMs: 30,
      usage,
      cost: parseUsd('0.00027'),
      estimated: false,
      reason: 'completed',
      attempts: [{ channel: 'main', outcome: 'served', status: 200, latency_ms: 100, reason: 'priority 0' }],
      priceVersionId: payer.priceVersionId,
      ...row,
      requestId,
    },
  ]);
  return requestId;
}

/** Holds and settles a call, as the gateway and billing do. */
async function charge(requestId: string, amount: string, charged: Usage = usage): Promise<void> {
  await ledger.openHolds([
    {
      id: requestId,
      walletId: payer.walletId,
      tokenId: payer.tokenId,
      model: payer.model,
      priceVersionId: payer.priceVersionId,
      wanted: parseUsd('0.5'),
      minimum: parseUsd('0.5'),
      ttlSeconds: 60,
      owner: { instance: 'test', epoch: '1' },
    },
  ]);
  const row = { input_tokens: charged.inputTokens, output_tokens: charged.outputTokens };
  await bed.database.query(`select * from settle(array[($1, 'usage', $2, $3, false)::settlement])`, [
    requestId,
    parseUsd(amount).toString(),
    JSON.stringify(row),
  ]);
}

async function show(requestId: string): Promise<LogView> {
  return (await console.call<LogView>('GET', `/api/v1/logs/${requestId}`, { session })).body;
}

describe('a call', () => {
  it('explains its cost line by line', async () => {
    const requestId = await log();
    await charge(requestId, '0.00027');
    expect(await show(requestId)).toEqual({
      request_id: requestId,
      created_at: expect.any(String),
      token_id: payer.tokenId,
      token_name: 'test',
      model: payer.model,
      asked_model: null,
      endpoint: '/v1/chat/completions',
      channel: 'main',
      status: 200,
      error_code: null,
      error_message: null,
      error_phrases: [],
      stream: true,
      latency_ms: 120,
      ttft_ms: 30,
      usage: {
        input_tokens: 1_000,
        cached_input_tokens: 0,
        cache_write_tokens: 0,
        cache_write_1h_tokens: 0,
        output_tokens: 10,
        reasoning_tokens: 0,
        images: 0,
        seconds: 0,
      },
      cost: '0.00027',
      estimated: false,
      reason: 'completed',
      lines: [
        { meter: 'input_per_million', quantity: 1_000, unit_price: '0.25', amount: '0.00025' },
        { meter: 'output_per_million', quantity: 10, unit_price: '2', amount: '0.00002' },
      ],
      attempts: [
        {
          channel: 'main',
          outcome: 'served',
          status: 200,
          latency_ms: 100,
          reason: 'priority 0',
          reason_phrases: [{ code: 'priority', values: ['0'] }],
        },
      ],
      price_version: payer.priceVersionId,
    });
  });

  it('shows what its gateway says until billing has settled it', async () => {
    expect(await show(await log())).toMatchObject({ cost: '0.00027' });
  });

  it('costs what the ledger charged, whatever its gateway said', async () => {
    const requestId = await log({ cost: parseUsd('9'), estimated: true });
    await charge(requestId, '0.0005', { ...usage, outputTokens: 125 });
    expect(await show(requestId)).toMatchObject({
      cost: '0.0005',
      estimated: false,
      usage: { output_tokens: 125 },
      lines: [{ amount: '0.00025' }, { amount: '0.00025' }],
    });
  });

  it('costs nothing after a refund', async () => {
    const requestId = await log();
    await charge(requestId, '0.00027');
    await ledger.refund(requestId, 'sorry');
    expect(await show(requestId)).toMatchObject({ cost: '0', lines: [] });
  });

  it('that failed has no lines', async () => {
    const requestId = await log({
      status: 502,
      errorCode: 'upstream_error',
      cost: 0n,
      reason: 'upstream_failed',
    });
    expect(await show(requestId)).toMatchObject({ cost: '0', lines: [], error_code: 'upstream_error' });
  });
});

function day(text: string): Date {
  return new Date(`${text}T12:00:00Z`);
}

describe('the list of calls', () => {
  it('is filtered by every field, newest first', async () => {
    const tokenName = newId();
    const rows = {
      early: await log({ tokenName, createdAt: day('2026-01-01') }),
      late: await log({ tokenName, createdAt: day('2026-01-03') }),
      failed: await log({ tokenName, status: 429, createdAt: day('2026-01-02') }),
      other: await log({
        tokenName,
        model: 'org/other:free',
        endpoint: '/v1/embeddings',
        createdAt: day('2026-01-02'),
      }),
    };
    const list = async (query: string) => {
      const { body } = await console.call<{ data: LogView[] }>('GET', `/api/v1/logs?${query}`, { session });
      const ids = body.data.map((row) => row.request_id);
      expect(ids).toEqual(ids.toSorted().toReversed());
      return Object.entries(rows)
        .filter(([, id]) => ids.includes(id))
        .map(([name]) => name);
    };
    expect(await list('from=2026-01-01&to=2026-01-04')).toEqual(['early', 'late', 'failed', 'other']);
    expect(await list('from=2026-01-02T00:00:00Z')).toEqual(['late', 'failed', 'other']);
    expect(await list('to=2026-01-02')).toEqual(['early']);
    expect(await list('status=429')).toEqual(['failed']);
    expect(await list('model=org/other:free')).toEqual(['other']);
    expect(await list('endpoint=/v1/embeddings')).toEqual(['other']);
    expect(await list(`token_id=${payer.tokenId}&limit=200`)).toHaveLength(4);
    expect(await list(`token_id=${newId()}`)).toEqual([]);
    expect(await list(`model=${encodeURIComponent("x' or '1'='1")}`)).toEqual([]);
  });
});

async function sum(group: string): Promise<object[]> {
  const query = `group_by=${group}&from=2026-02-01&to=2026-02-03`;
  return (await console.call<{ data: object[] }>('GET', `/api/v1/usage?${query}`, { session })).body.data;
}

/** A time as it is counted: within a fifth. */
const within = (ms: number) => expect.toSatisfy((shown: number) => Math.abs(shown / ms - 1) < 0.2);

describe('usage', () => {
  it('sums calls by day, model, token and channel, with the ledger’s cost', async () => {
    const own = await seedPayer(bed.database, { balance: parseUsd('5'), price });
    const of = { userId: own.userId, tokenId: own.tokenId, walletId: own.walletId };
    const model = newId();
    const late = new Date('2026-02-01T23:30:00Z');
    const first = newId();
    await charge(first, '0.0001');
    await log({ ...of, model, createdAt: late, requestId: first });
    await log({ ...of, model, createdAt: late, status: 500, cost: 0n, usage: NO_USAGE, channel: undefined });
    await log({
      ...of,
      model,
      createdAt: new Date('2026-02-02T00:30:00Z'),
      cost: parseUsd('1'),
      usage: { ...usage, cachedInputTokens: 400 },
    });
    const times = {
      latency_p50_ms: within(120),
      latency_p95_ms: within(120),
      ttft_p50_ms: within(30),
    };
    const tokens = { input_tokens: 2_000, cached_input_tokens: 400, output_tokens: 20 };
    const failed = { errors: 1, client_errors: 0, server_errors: 1 };
    const whole = { calls: 3, ...failed, ...tokens, cost: '1.0001', ...times };
    expect(await sum('model')).toEqual([{ key: model, label: model, ...whole }]);
    expect(await sum('token')).toEqual([{ key: own.tokenId, label: 'test', ...whole }]);
    expect(await sum('day')).toMatchObject([
      { key: '2026-02-01', calls: 2, errors: 1, cost: '0.0001' },
      { key: '2026-02-02', calls: 1, errors: 0, cost: '1' },
    ]);
    expect(await sum('channel')).toMatchObject([
      { key: 'main', calls: 2 },
      { key: '', calls: 1 },
    ]);
  });

  it('refuses a stretch of time that is too long', async () => {
    const answer = await console.call<{ detail: object }>('GET', '/api/v1/usage?from=2020-01-01', {
      session,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatchObject({ param: 'from' });
  });
});
