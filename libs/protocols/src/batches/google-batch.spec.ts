import { describe, expect, it } from 'vitest';
import { frameGoogleBatch, writeGoogleBatch } from './google-batch.js';
import { writeGoogleResult, writeGoogleUnanswered } from './google-batch-results.js';
import { googleBatch } from './google-batch-schema.js';
import { readGoogleBatch } from './read-google-batch.js';
import { readLine } from './read-line.js';

const noPause = async () => undefined;
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const one = { request: { contents: CONTENTS }, metadata: { key: 'one' } };
const order = (...requests: readonly unknown[]) => ({ batch: { inputConfig: { requests: { requests } } } });
const read = (body: object | string) =>
  readGoogleBatch(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), 'm', noPause);
const place = { batchId: 'b', line: 1, tag: { key: 'one' } };

describe("the body of a batch of Google's", () => {
  it('is read request by request', async () => {
    const named = { request: { model: 'models/m', contents: CONTENTS } };
    const body = order(one, named);
    expect(await read({ batch: { ...body.batch, displayName: 'mine' } })).toEqual({
      details: { model: 'm', displayName: 'mine' },
      input: {
        kind: 'requests',
        lines: [
          { tag: { key: 'one' }, body: Buffer.from(JSON.stringify(one.request)) },
          { tag: undefined, body: Buffer.from(JSON.stringify(named.request)) },
        ],
      },
    });
  });

  it('is read in snake_case as well, and its requests as they are', async () => {
    const request = { contents: CONTENTS, generation_config: { max_output_tokens: 5 } };
    const body = { batch: { display_name: 'mine', input_config: { requests: { requests: [{ request }] } } } };
    expect(await read(body)).toMatchObject({
      details: { displayName: 'mine' },
      input: { lines: [{ body: Buffer.from(JSON.stringify(request)) }] },
    });
  });

  it('keeps long integers as they were written', async () => {
    const args = '{"id":12345678901234567890}';
    const order = await read(`{"batch":{"inputConfig":{"requests":{"requests":[{"request":${args}}]}}}}`);
    expect(order.input).toMatchObject({ lines: [{ body: Buffer.from(args) }] });
  });

  it('is written a few requests at a time where they or what is noted of them are long', async () => {
    const long = { request: { contents: 'a'.repeat(70_000) } };
    const noted = { request: {}, metadata: { note: 'a'.repeat(16_000) } };
    const body = Buffer.from(JSON.stringify(order(long, long, ...Array.from({ length: 10 }, () => noted))));
    let pauses = 0;
    const { input } = await readGoogleBatch(body, 'm', async () => void pauses++);
    expect(input).toMatchObject({ lines: { length: 12 } });
    expect(pauses).toBe(3);
  });

  it.each(['fileName', 'file_name'])('may name a file in the place of requests, by %s', async (name) => {
    expect(await read({ batch: { inputConfig: { [name]: 'files/abc-1' } } })).toEqual({
      details: { model: 'm' },
      input: { kind: 'file', fileId: 'abc-1' },
    });
  });

  const REQUESTS = 'batch.inputConfig.requests.requests';
  it.each([
    ['batch', {}],
    ['batch', { batch: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a_name_${at}`, at])) }],
    ['batch.inputConfig', { batch: {} }],
    ['batch.inputConfig', { batch: { inputConfig: {}, input_config: {} } }],
    ['batch.inputConfig.requests', { batch: { inputConfig: {} } }],
    ['batch.inputConfig', '{"batch":{"__proto__":{"inputConfig":{"requests":{"requests":[]}}}}}'],
    ['batch.inputConfig.fileName', { batch: { input_config: { file_name: '../files/a' } } }],
    [
      'batch.inputConfig.fileName',
      { batch: { inputConfig: { ...order(one).batch.inputConfig, fileName: 'files/a' } } },
    ],
    ['batch.displayName', { batch: { ...order(one).batch, displayName: 1 } }],
    ['batch.webhookConfig', { batch: { ...order(one).batch, webhookConfig: {} } }],
    [REQUESTS, order()],
    [`${REQUESTS}[0]`, order(null)],
    [`${REQUESTS}[1].request`, order(one, { contents: CONTENTS })],
    [`${REQUESTS}[0].request.model`, order({ request: { model: 'models/other' } })],
    [`${REQUESTS}[0].request.stream`, order({ request: { stream: true } })],
    [`${REQUESTS}[0].request`, order({ request: { text: 'a'.repeat(5_000_000) } })],
    [`${REQUESTS}[0].metadata`, order({ ...one, metadata: 'one' })],
    [`${REQUESTS}[0].metadata`, order({ ...one, metadata: { key: 'a'.repeat(20_000) } })],
  ])('is refused by the name of the field: %s', async (param, body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'invalid_request', param });
  });
});

describe("a batch of Google's", () => {
  const at = new Date(0);
  const shown = {
    id: 'b1',
    endpoint: '/v1beta/models/m:generateContent',
    details: { model: 'm', displayName: 'mine","done":true' },
    state: 'in_progress' as const,
    errors: undefined,
    counts: { total: 5, succeeded: 2, failed: 1, cancelled: 0, expired: 0 },
    outputFileId: undefined,
    errorFileId: undefined,
    createdAt: at,
    inProgressAt: at,
    cancellingAt: undefined,
    finalizingAt: undefined,
    endedAt: undefined,
    expiresAt: at,
  };

  it('is shown as an operation', () => {
    const written = writeGoogleBatch(shown);
    expect(googleBatch.safeParse(written).error).toBeUndefined();
    expect(written).toMatchObject({
      name: 'batches/b1',
      metadata: {
        '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
        model: 'models/m',
        displayName: 'mine","done":true',
        state: 'BATCH_STATE_RUNNING',
        batchStats: { requestCount: '5', pendingRequestCount: '2', successfulRequestCount: '2' },
      },
    });
    expect(written).not.toHaveProperty('done');
  });

  it('that is completed holds its results in its metadata and in its response', () => {
    const frame = frameGoogleBatch({ ...shown, state: 'completed', endedAt: at });
    const written: unknown = JSON.parse(frame.join('{"response":{}},{"response":{}}'));
    expect(googleBatch.safeParse(written).error).toBeUndefined();
    const results = { inlinedResponses: { inlinedResponses: [{ response: {} }, { response: {} }] } };
    expect(written).toMatchObject({
      done: true,
      metadata: { displayName: shown.details.displayName, state: 'BATCH_STATE_SUCCEEDED', output: results },
      response: {
        '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput',
        ...results,
      },
    });
  });

  it.each([
    ['cancelled', 'BATCH_STATE_CANCELLED', 1],
    ['expired', 'BATCH_STATE_EXPIRED', 4],
  ] as const)('that is %s holds an error, and what was made in its metadata', (state, name, code) => {
    const ended = { ...shown, state, endedAt: at };
    const written = JSON.parse(frameGoogleBatch(ended).join('{"response":{}}')) as Record<string, unknown>;
    expect(written).toMatchObject({
      done: true,
      metadata: { state: name, output: { inlinedResponses: { inlinedResponses: [{}] } } },
      error: { code },
    });
    expect(written).not.toHaveProperty('response');
    expect(writeGoogleBatch(ended)).toMatchObject({ done: true, error: { code } });
  });

  const filed = { ...shown, details: { model: 'm', input_file_id: 'in' }, outputFileId: 'file-b1-output' };

  it('of a file names the file of its results in their place', () => {
    const written = writeGoogleBatch({ ...filed, state: 'completed', endedAt: at });
    expect(googleBatch.safeParse(written).error).toBeUndefined();
    const output = { responsesFile: 'files/file-b1-output' };
    expect(written).toMatchObject({ done: true, metadata: { output }, response: output });
  });

  it('of a file that is wrong says where', () => {
    const errors = [
      { code: 'invalid_key', message: 'key must be a text.', line: 2, param: 'key' },
      { code: 'empty_file', message: 'There is nothing.', line: null, param: null },
    ];
    const written = writeGoogleBatch({
      ...filed,
      outputFileId: undefined,
      state: 'failed',
      endedAt: at,
      errors,
    });
    expect(written.error).toEqual({ code: 3, message: 'Line 2: key must be a text. There is nothing.' });
  });

  it('of embeddings says so', () => {
    const ended = {
      ...shown,
      endpoint: '/v1beta/models/m:embedContent',
      state: 'completed' as const,
      endedAt: at,
    };
    expect(writeGoogleBatch(ended)).toMatchObject({
      metadata: { '@type': expect.stringMatching(/\.EmbedContentBatch$/) },
      response: { '@type': expect.stringMatching(/\.EmbedContentBatchOutput$/) },
    });
  });
});

describe("a line of a file of Google's", () => {
  const batch = {
    api: 'google_batch',
    endpoint: '/v1beta/models/m:generateContent',
    details: { model: 'm' },
  } as const;
  const readText = (text: string) => readLine(Buffer.from(text), batch, noPause);

  it('is known by its key, and keeps long integers', async () => {
    const request = '{"contents":[{"parts":[{"text":"hi"}]}],"seed":12345678901234567890}';
    expect(await readText(`{"key":"k","request":${request}}`)).toEqual({
      tag: 'k',
      body: Buffer.from(request),
    });
  });

  it.each([
    ['{"key":', null],
    ['{"request":{}}', 'key'],
    [`{"key":"${'k'.repeat(513)}","request":{}}`, 'key'],
    ['{"key":"k"}', 'request'],
    ['{"key":"k","request":{"model":"models/other"}}', 'request.model'],
    ['{"key":"k","request":{"stream":true}}', 'request.stream'],
  ])('%s is a fault', async (text, param) => {
    expect(await readText(text)).toMatchObject({ fault: { param } });
  });

  it('has its key in its result', () => {
    const line = { ...place, tag: 'k' };
    const answer = { status: 200, requestId: 'r', body: Buffer.from('{"candidates":[]}') };
    expect(Buffer.concat(writeGoogleResult(line, answer)).toString()).toBe(
      '{"response":{"candidates":[]},"key":"k"}',
    );
    expect(JSON.parse(writeGoogleUnanswered(line, 'cancelled'))).toMatchObject({
      key: 'k',
      error: { code: 1 },
    });
  });
});

it('results say how a request ended, with what its caller said of it', () => {
  const write = (status: number, body: unknown) =>
    JSON.parse(
      Buffer.concat(
        writeGoogleResult(place, { status, requestId: 'r', body: Buffer.from(JSON.stringify(body)) }),
      ).toString(),
    ) as unknown;
  expect(write(200, { candidates: [] })).toEqual({ response: { candidates: [] }, metadata: { key: 'one' } });
  expect(
    write(402, { error: { code: 402, message: 'It is empty.', status: 'FAILED_PRECONDITION' } }),
  ).toEqual({
    error: {
      code: 9,
      message: 'It is empty.',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'r' }],
    },
    metadata: { key: 'one' },
  });
  expect(JSON.parse(writeGoogleUnanswered({ ...place, tag: undefined }, 'expired'))).toMatchObject({
    error: { code: 4 },
  });
});
