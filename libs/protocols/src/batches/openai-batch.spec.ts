import { describe, expect, it } from 'vitest';
import type { ShownBatch } from './batch.js';
import { batch } from './batch-schema.js';
import {
  readOpenAiBatch,
  readOpenAiLine,
  writeOpenAiBatch,
  writeOpenAiResult,
  writeOpenAiUnanswered,
} from './openai-batch.js';

const CHAT = '/v1/chat/completions';
const ORDER = { input_file_id: 'file-1', endpoint: CHAT, completion_window: '24h' };
const at = (seconds: number) => new Date(seconds * 1_000);
const SHOWN: ShownBatch = {
  id: 'batch_1',
  endpoint: CHAT,
  details: { input_file_id: 'file-1', completion_window: '24h', metadata: { for: 'tests' } },
  state: 'in_progress',
  errors: undefined,
  counts: { total: 9, succeeded: 3, failed: 1, cancelled: 0, expired: 0 },
  outputFileId: undefined,
  errorFileId: undefined,
  createdAt: at(100),
  inProgressAt: at(101),
  cancellingAt: undefined,
  finalizingAt: undefined,
  endedAt: undefined,
  expiresAt: at(86_500),
};

describe('an order', () => {
  it('is kept with what its caller said', () => {
    expect(readOpenAiBatch({ ...ORDER, metadata: { a: 'b' } })).toEqual({
      inputFileId: 'file-1',
      endpoint: CHAT,
      details: { input_file_id: 'file-1', completion_window: '24h', metadata: { a: 'b' } },
    });
  });

  it.each([
    ['input_file_id', { input_file_id: 7 }],
    ['endpoint', { endpoint: '/v1/audio/speech' }],
    ['completion_window', { completion_window: '1h' }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])) }],
    ['metadata.a', { metadata: { a: 'x'.repeat(513) } }],
    ['output_expires_after.seconds', { output_expires_after: { anchor: 'created_at', seconds: 1 } }],
  ])('is refused by the name of its field: %s', (param, wrong) => {
    expect(() => readOpenAiBatch({ ...ORDER, ...wrong })).toThrow(
      expect.objectContaining({ param }) as Error,
    );
  });
});

describe('a batch as it is shown', () => {
  it('has the members of OpenAI, null where nothing is known yet', () => {
    const written = writeOpenAiBatch(SHOWN);
    expect(batch.safeParse(written).success).toBe(true);
    expect(written).toMatchObject({
      object: 'batch',
      status: 'in_progress',
      errors: null,
      output_file_id: null,
      created_at: 100,
      in_progress_at: 101,
      expires_at: 86_500,
      completed_at: null,
      request_counts: { total: 9, completed: 3, failed: 1 },
      metadata: { for: 'tests' },
    });
  });

  it('says when it ended by the way that it ended', () => {
    const ended = { ...SHOWN, endedAt: at(200), finalizingAt: at(199) };
    expect(writeOpenAiBatch({ ...ended, state: 'completed' })).toMatchObject({
      completed_at: 200,
      failed_at: null,
    });
    expect(writeOpenAiBatch({ ...ended, state: 'expired' })).toMatchObject({ expired_at: 200 });
    const cancelled = { ...ended, cancellingAt: at(150) };
    expect(writeOpenAiBatch({ ...cancelled, state: 'finalizing' }).status).toBe('cancelling');
    expect(writeOpenAiBatch({ ...cancelled, state: 'cancelled' })).toMatchObject({ cancelled_at: 200 });
    const errors = [{ code: 'empty_file', message: 'It is empty.', line: null, param: null }];
    expect(writeOpenAiBatch({ ...ended, state: 'failed', errors })).toMatchObject({
      failed_at: 200,
      errors: { object: 'list', data: errors },
    });
  });
});

describe('a line', () => {
  const read = (text: string) => readOpenAiLine(Buffer.from(text), CHAT, async () => undefined);
  const line = (changes: object) =>
    read(JSON.stringify({ custom_id: 'a', method: 'POST', url: CHAT, body: { n: 1 }, ...changes }));

  it('is read with its body, integers as they were written', async () => {
    const text = `{"custom_id":"a","method":"POST","url":"${CHAT}","body":{"seed":12345678901234567890}}`;
    expect(await read(text)).toEqual({
      tag: 'a',
      body: Buffer.from('{"seed":12345678901234567890}'),
    });
  });

  it.each([
    ['custom_id', { custom_id: '' }],
    ['custom_id', { custom_id: 'x'.repeat(513) }],
    ['method', { method: 'GET' }],
    ['url', { url: '/v1/embeddings' }],
    ['body', { body: [] }],
    ['body.stream', { body: { stream: true } }],
  ])('is refused by the name of its field: %s', async (param, changes) => {
    expect(await line(changes)).toMatchObject({ fault: { param } });
  });

  it('of megabytes is read in steps', async () => {
    let steps = 0;
    const pause = async () => void steps++;
    const body = { text: 'a'.repeat(3_000_000), seed: 1 };
    const text = JSON.stringify({ custom_id: 'a', method: 'POST', url: CHAT, body });
    expect(await readOpenAiLine(Buffer.from(text), CHAT, pause)).toEqual({
      tag: 'a',
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(steps).toBeGreaterThan(10);
  });

  it('that is no JSON is refused as a whole', async () => {
    expect(await read('{"custom_id":')).toMatchObject({ fault: { code: 'invalid_json_line' } });
    expect(await read('[]')).toMatchObject({ fault: { code: 'invalid_json_line' } });
  });
});

it('results are one line each, in the shape of OpenAI', () => {
  const place = { batchId: 'batch_1', line: 2, tag: 'two' };
  const answer = { status: 200, requestId: 'r', body: Buffer.from('{"a":12345678901234567890}') };
  expect(Buffer.concat(writeOpenAiResult(place, answer)).toString()).toBe(
    '{"id":"batch_req_1_2","custom_id":"two","response":{"status_code":200,"request_id":"r",' +
      '"body":{"a":12345678901234567890}},"error":null}',
  );
  expect(JSON.parse(writeOpenAiUnanswered(place, 'expired'))).toMatchObject({
    custom_id: 'two',
    response: null,
    error: { code: 'batch_expired' },
  });
});
