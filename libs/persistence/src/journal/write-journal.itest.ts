import { newId, NO_USAGE, type RequestLogRow } from '@mg/contract';
import { type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureTexts } from '../testing/measure-texts.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { BatchWriter } from './batch-writer.js';
import { writeJournal, writeRequestLog } from './write-journal.js';

const LONE = '\uD83D';

let test: TestDatabase;
let database: DataSource;
let payer: Payer;

beforeAll(async () => {
  test = await openTestDatabase(2);
  ({ database } = test);
  payer = await seedPayer(database, { balance: 1_000_000_000n });
});

afterAll(() => test.stop());

function failedCall(changes: Partial<RequestLogRow> = {}): RequestLogRow {
  return {
    requestId: newId(),
    createdAt: new Date(),
    userId: payer.userId,
    tokenId: payer.tokenId,
    tokenName: 'test',
    walletId: payer.walletId,
    model: 'm',
    endpoint: '/v1/chat/completions',
    channel: undefined,
    status: 400,
    errorCode: 'invalid_request',
    stream: false,
    latencyMs: 1,
    ttftMs: undefined,
    usage: NO_USAGE,
    cost: 0n,
    estimated: false,
    reason: 'refused',
    attempts: [],
    priceVersionId: undefined,
    ...changes,
  };
}

describe('M2: a failed call is never missing from the log', () => {
  const attempt = { channel: 'c', outcome: 'failed', status: 500, latency_ms: 1 } as const;

  it('many with many attempts, as after an outage, are written one part after another', async () => {
    const attempts = Array.from({ length: 6 }, () => ({ ...attempt, reason: 'x'.repeat(300) }));
    const model = newId();
    const rows = Array.from({ length: 500 }, () => failedCall({ model, attempts }));
    const { longest } = await measureTexts(database, () => writeRequestLog(database, rows));
    expect(longest).toBeLessThanOrEqual(256 * 1024);
    const [logged] = await database.query<{ n: number }[]>(
      'select count(*)::int as n from request_log where model = $1 and jsonb_array_length(attempts) = 6',
      [model],
    );
    expect(logged?.n).toBe(rows.length);
  });

  it.each<[string, Partial<RequestLogRow>, Record<string, unknown>]>([
    ['NUL in the model', { model: 'a\0' }, { model: 'a\uFFFD' }],
    ['half a character in the model', { model: `a${LONE}` }, { model: 'a\uFFFD' }],
    [
      "NUL in an upstream's words",
      { attempts: [{ ...attempt, reason: `status 500: \0${LONE}` }] },
      { attempts: [{ ...attempt, reason: 'status 500: \uFFFD\uFFFD' }] },
    ],
    ['NUL in the channel and the token', { channel: '\0', tokenName: '\0' }, { channel: '\uFFFD' }],
    ['NUL in the error code', { errorCode: '\0' }, { error_code: '\uFFFD' }],
  ])('whatever hides in it: %s', async (_name, changes, stored) => {
    const rows = [failedCall(), failedCall(changes), failedCall()];
    const refused: unknown[] = [];
    const writer = new BatchWriter<RequestLogRow>({
      write: (batch) => writeRequestLog(database, batch),
      maxBatch: 10,
      delayMs: 0,
      onFailure: (error) => refused.push(error),
    });
    for (const row of rows) writer.add(row);
    await writer.close(1_000);
    expect(refused).toEqual([]);
    const found = await database.query('select * from request_log where request_id = any ($1)', [
      rows.map((row) => row.requestId),
    ]);
    expect(found).toHaveLength(3);
    const poisoned = found.find((row: { request_id: string }) => row.request_id === rows[1]?.requestId);
    expect(poisoned).toMatchObject(stored);
  });

  it('and what a call used is charged whatever its variant is called', async () => {
    const row = { requestId: newId(), seq: 1, phase: 'usage', estimated: false } as const;
    await writeJournal(database, [{ ...row, usage: { ...NO_USAGE, inputTokens: 7, variant: `\0${LONE}` } }]);
    const [stored] = await database.query('select usage from usage_journal where request_id = $1', [
      row.requestId,
    ]);
    expect(stored.usage).toMatchObject({ input_tokens: 7 });
  });
});
