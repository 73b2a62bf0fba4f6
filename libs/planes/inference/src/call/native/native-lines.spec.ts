import type { CallerToken } from '@mg/contract';
import {
  BATCH_LINE_HEADER,
  NATIVE_OUTCOME_HEADER,
  NATIVE_STEP_HEADER,
  type NativeOutcome,
  type NativeStep,
} from '@mg/transport';
import { afterEach, expect, it } from 'vitest';
import type { BatchLines } from '../../access/batch-lines.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const PATH = '/v1/chat/completions';
const LINE = { model: 'm', messages: [{ role: 'user', content: 'Say something.' }] };
const KEY = { id: 't', name: 'test', walletId: 'w', userId: 'u', disabled: false } as CallerToken;
const CHANNEL = makeChannel('main', { type: 'openai', apiKeys: ['upstream-key-1'], batches: 'native' });
const PAYER = { open: () => ({ keyHash: '', walletId: 'w' }) } as unknown as BatchLines;

let gateway: SmallGateway;
afterEach(() => gateway.close());

async function start(): Promise<void> {
  gateway = await startSmallGateway('lines', {
    batchLines: PAYER,
    tokens: { recall: () => KEY } as never,
    findToken: async () => KEY,
    findChannel: async () => CHANNEL,
  });
  gateway.channels = [CHANNEL];
}

function take(step: NativeStep, body: object, path = PATH): Promise<Response> {
  return gateway.post(path, body, {
    [BATCH_LINE_HEADER]: 'signed',
    [NATIVE_STEP_HEADER]: JSON.stringify(step),
  });
}

const PREPARE: NativeStep = { kind: 'prepare', requestId: 'r1', batchId: 'b', holdSeconds: 60, busy: [] };

it('a line that its provider has carried out is settled, although its key holds all the memory that it may', async () => {
  await start();
  const lease = gateway.context.bodies.open(KEY.id);
  while (lease.tryTake(1024));
  expect((await take(PREPARE, LINE)).status).toBe(429);
  expect((await take({ kind: 'release', requestId: 'r1', tokenId: KEY.id }, LINE)).status).toBe(204);
  const said = { role: 'assistant', content: 'Hello.' };
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const choices = [{ index: 0, message: said, finish_reason: 'stop' }];
  const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
  const request = JSON.stringify(LINE);
  const step: NativeStep = {
    kind: 'settle',
    requestId: 'r2',
    tokenId: KEY.id,
    channelId: CHANNEL.id,
    hold: { granted: '1000000', priceVersionId: 'p1', model: 'm' },
    status: 200,
    requestBytes: Buffer.byteLength(request),
  };
  const settled = await take(step, `${request}${JSON.stringify(answer)}` as never);
  expect([settled.status, await settled.json()]).toMatchObject([200, { choices: [{ message: said }] }]);
  await expect
    .poll(() => gateway.journal.filter(({ phase }) => phase === 'usage'))
    .toMatchObject([{ requestId: 'r2' }]);
  expect(gateway.context.settlements.heldBytes).toBe(0);
  lease.release();
});

it('a line that is lost has wasted what its provider was sent, files that are gone by then among it', async () => {
  await start();
  const prepared = await take(PREPARE, LINE);
  const outcome = JSON.parse(prepared.headers.get(NATIVE_OUTCOME_HEADER) ?? '{}') as NativeOutcome;
  if (outcome.kind !== 'native') throw new Error(JSON.stringify(outcome));
  expect(outcome.hold.sentTokens).toBeGreaterThan(5);
  const lost = { channelId: CHANNEL.id, hold: { ...outcome.hold, sentTokens: 50_000 } };
  const released = await take({ kind: 'release', requestId: 'r1', tokenId: KEY.id, lost }, LINE);
  expect(released.status).toBe(204);
  await expect
    .poll(() => gateway.journal.flatMap(({ waste }) => waste ?? []))
    .toMatchObject([{ usage: { inputTokens: 50_000 } }]);
});

it('a line of one text is a request of the kind that Google batches, and answered as its client reads it', async () => {
  await start();
  const channel = makeChannel('google', { type: 'gemini', apiKeys: ['upstream-key-1'], batches: 'native' });
  gateway.channels = [channel];
  const catalog = gateway.context.catalog();
  const model = { ...catalog.models.get('m'), kind: 'embedding' };
  Object.assign(gateway.context, {
    catalog: () => ({ ...catalog, models: new Map([['m', model]]) }),
    findChannel: async () => channel,
  });
  const path = '/v1/embeddings';
  const line = { model: 'm', input: 'A river.', dimensions: 2, user: 'u' };
  const prepared = await take(PREPARE, line, path);
  const outcome = JSON.parse(prepared.headers.get(NATIVE_OUTCOME_HEADER) ?? '{}') as NativeOutcome;
  if (outcome.kind !== 'native') throw new Error(JSON.stringify(outcome));
  expect(outcome.endpoint).toBe('/models/m:embedContent');
  expect(await prepared.json()).toEqual({
    content: { parts: [{ text: 'A river.' }] },
    outputDimensionality: 2,
  });
  const request = JSON.stringify(line);
  const { hold, route } = outcome;
  const { channelId, upstreamModel } = route;
  const facts = { requestId: 'r1', tokenId: KEY.id, channelId, upstreamModel, hold, status: 200 };
  const step: NativeStep = { kind: 'settle', ...facts, requestBytes: Buffer.byteLength(request) };
  const answer = { embedding: { values: [3, 4] }, tokenCount: '5' };
  const settled = await take(step, `${request}${JSON.stringify(answer)}` as never, path);
  expect(await settled.json()).toMatchObject({
    object: 'list',
    data: [{ index: 0, embedding: [0.6, 0.8] }],
    usage: { prompt_tokens: 5 },
  });
  await expect
    .poll(() => gateway.journal.filter(({ phase }) => phase === 'usage'))
    .toMatchObject([{ requestId: 'r1', usage: { inputTokens: 5 } }]);
  // Two texts are two of Google's requests.
  const two = await take(PREPARE, { ...line, input: ['A river.', 'A hill.'] }, path);
  expect(two.headers.get(NATIVE_OUTCOME_HEADER)).toBe('{"kind":"none"}');
});
