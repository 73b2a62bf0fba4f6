import { describe, expect, it } from 'vitest';
import {
  readMessageBatch,
  writeMessageBatch,
  writeMessageResult,
  writeMessageUnanswered,
} from './message-batch.js';
import { messageBatch } from './message-batch-schema.js';

const noPause = async () => undefined;
const one = { custom_id: 'one', params: { model: 'm', max_tokens: 1 } };
const read = (body: object) => readMessageBatch(Buffer.from(JSON.stringify(body)), noPause);
const place = { batchId: 'msgbatch_1', line: 1, tag: 'one' };

describe('requests of a message batch', () => {
  it('are read one by one', async () => {
    expect(await read({ requests: [one] })).toEqual([
      { tag: 'one', body: Buffer.from('{"model":"m","max_tokens":1}') },
    ]);
  });

  it.each([
    ['requests', {}],
    ['requests', { requests: [] }],
    ['requests[0].custom_id', { requests: [{ ...one, custom_id: 'a b' }] }],
    ['requests[1].custom_id', { requests: [one, one] }],
    ['requests[0].params', { requests: [{ custom_id: 'one' }] }],
    ['requests[0].params', { requests: [{ custom_id: 'one', params: { system: 'a'.repeat(5_000_000) } }] }],
    ['requests[0].params.stream', { requests: [{ custom_id: 'one', params: { stream: true } }] }],
  ])('are refused by the name of the field: %s', async (param, body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'invalid_request', param });
  });

  it('are written a few at a time where they are long, or where they hold many values', async () => {
    const long = { system: 'a'.repeat(100_000) };
    const wide = { values: Array.from({ length: 4_000 }, (_, at) => at) };
    const requests = [long, long, long, wide, wide, wide, wide, wide].map((params, at) => ({
      custom_id: `r${at}`,
      params,
    }));
    let pauses = 0;
    const body = Buffer.from(JSON.stringify({ requests }));
    const lines = await readMessageBatch(body, async () => void pauses++);
    expect(lines.map((line) => JSON.parse(line.body.toString()))).toEqual(
      requests.map(({ params }) => params),
    );
    expect(pauses).toBe(4);
  });
});

it('a message batch is shown as Anthropic shows one', () => {
  const at = new Date(0);
  const shown = {
    id: 'msgbatch_1',
    endpoint: '/v1/messages',
    details: {},
    state: 'cancelling' as const,
    errors: undefined,
    counts: { total: 5, succeeded: 2, failed: 1, cancelled: 0, expired: 0 },
    outputFileId: undefined,
    errorFileId: undefined,
    createdAt: at,
    inProgressAt: at,
    cancellingAt: at,
    finalizingAt: undefined,
    endedAt: undefined,
    expiresAt: at,
  };
  const written = writeMessageBatch(shown, 'http://gateway/results');
  expect(messageBatch.safeParse(written).success).toBe(true);
  expect(written).toMatchObject({
    processing_status: 'canceling',
    request_counts: { processing: 2, succeeded: 2, errored: 1, canceled: 0, expired: 0 },
    results_url: null,
  });
  const ended = { ...shown, state: 'cancelled' as const, endedAt: at, outputFileId: 'file-1' };
  expect(writeMessageBatch(ended, 'http://gateway/results')).toMatchObject({
    processing_status: 'ended',
    results_url: 'http://gateway/results',
  });
});

it('results say how a request ended', () => {
  const message = { type: 'message' };
  const error = { type: 'error', error: { type: 'billing_error', message: 'It is empty.' } };
  const write = (status: number, body: unknown) =>
    JSON.parse(
      Buffer.concat(
        writeMessageResult(place, { status, requestId: 'r', body: Buffer.from(JSON.stringify(body)) }),
      ).toString(),
    );
  expect(write(200, message)).toEqual({ custom_id: 'one', result: { type: 'succeeded', message } });
  expect(write(402, error)).toEqual({ custom_id: 'one', result: { type: 'errored', error } });
  expect(JSON.parse(writeMessageUnanswered(place, 'cancelled'))).toEqual({
    custom_id: 'one',
    result: { type: 'canceled' },
  });
});
