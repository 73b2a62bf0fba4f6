import { newId, NO_USAGE, parseUsd, type RequestLogRow } from '@mg/contract';
import { writeRequestLog } from '@mg/persistence/gateway';
import { type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;
let payer: Payer;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  payer = await seedPayer(bed.database, { balance: parseUsd('5'), price: { input_per_million: '1' } });
});

afterAll(() => bed.stop());

function makeRow(row: Partial<RequestLogRow>): RequestLogRow {
  return {
    requestId: newId(),
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
    latencyMs: 100,
    ttftMs: 30,
    usage: NO_USAGE,
    cost: parseUsd('0.1'),
    estimated: false,
    reason: 'completed',
    attempts: [],
    priceVersionId: payer.priceVersionId,
    ...row,
  };
}

function get<Body = { data: { request_id: string }[] }>(path: string) {
  return console.call<Body>('GET', path, { session });
}

describe('the export', () => {
  it('has every call that the list has, over any number of pages, and no formula', async () => {
    const model = newId();
    const rows = Array.from({ length: 1_203 }, () => makeRow({ model, tokenName: '=1+1' }));
    await writeRequestLog(bed.database, rows);
    const { status, headers, text } = await get(`/api/v1/logs.csv?model=${model}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('logs.csv');
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).toMatch(/^request_id,created_at,/);
    expect(lines.map((line) => line.slice(0, 36))).toEqual(
      rows
        .map((row) => row.requestId)
        .toSorted()
        .toReversed(),
    );
    expect(lines[0]).toContain(`,'=1+1,`);
  });

  it('refuses a filter that there is not', async () => {
    expect((await get('/api/v1/logs.csv?limit=1')).status).toBe(400);
    expect((await get('/api/v1/logs.csv?from=yesterday')).status).toBe(400);
  });
});

describe('the filters', () => {
  it.each([
    ['channel=other', { channel: 'other' }],
    ['error_code=rate_limited', { errorCode: 'rate_limited', status: 429 }],
    ['stream=false', { stream: false }],
    ['failed=true', { status: 503 }],
    ['failed=true&status=503', { status: 503 }],
  ])('find by %s', async (query, facts) => {
    const model = newId();
    const wanted = makeRow({ model, ...facts } as Partial<RequestLogRow>);
    await writeRequestLog(bed.database, [wanted, makeRow({ model })]);
    const { body } = await get(`/api/v1/logs?model=${model}&${query}`);
    expect(body.data.map((call) => call.request_id)).toEqual([wanted.requestId]);
  });

  it('find by user, and nothing where they contradict each other', async () => {
    const model = newId();
    await writeRequestLog(bed.database, [makeRow({ model })]);
    expect((await get(`/api/v1/logs?model=${model}&user_id=${payer.userId}`)).body.data).toHaveLength(1);
    expect((await get(`/api/v1/logs?model=${model}&user_id=${newId()}`)).body.data).toHaveLength(0);
    expect((await get(`/api/v1/logs?model=${model}&failed=true&status=200`)).body.data).toHaveLength(0);
  });
});

/** A time as it is counted: within a fifth. */
const within = (ms: number) => expect.toSatisfy((shown: number) => Math.abs(shown / ms - 1) < 0.2);

describe('the series', () => {
  it('has every bucket, with sums and times', async () => {
    const model = newId();
    const at = (time: string) => new Date(`2026-03-01T${time}Z`);
    await writeRequestLog(bed.database, [
      makeRow({ model, createdAt: at('10:05:00'), latencyMs: 100, ttftMs: 10 }),
      makeRow({ model, createdAt: at('10:55:00'), latencyMs: 300, ttftMs: 30 }),
      makeRow({ model, createdAt: at('12:00:00'), status: 500, cost: 0n, latencyMs: 50, ttftMs: undefined }),
    ]);
    const { body } = await get(
      `/api/v1/usage/series?bucket=hour&model=${model}&from=2026-03-01T10:00:00Z&to=2026-03-01T13:00:00Z`,
    );
    const nothing = { latency_p50_ms: null, latency_p95_ms: null, ttft_p50_ms: null };
    expect(body.data).toMatchObject([
      {
        at: '2026-03-01T10:00:00.000Z',
        calls: 2,
        errors: 0,
        cost: '0.2',
        latency_p50_ms: within(100),
        latency_p95_ms: within(300),
        ttft_p50_ms: within(10),
      },
      { at: '2026-03-01T11:00:00.000Z', calls: 0, cost: '0', ...nothing },
      {
        at: '2026-03-01T12:00:00.000Z',
        calls: 1,
        errors: 1,
        cost: '0',
        latency_p50_ms: within(50),
        ttft_p50_ms: null,
      },
    ]);
  });

  it('is refused where it has more points than a chart shows', async () => {
    expect((await get('/api/v1/usage/series?bucket=hour&from=2026-01-01&to=2026-03-01')).status).toBe(400);
    expect((await get('/api/v1/usage/series?bucket=minute')).status).toBe(400);
  });
});
