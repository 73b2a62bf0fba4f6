import { BATCH_TIER, type CallerToken, sha256 } from '@mg/contract';
import { startFakeUpstream, type FakeUpstream } from '@mg/testkit';
import { RedisScope, signBatchLine } from '@mg/transport';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { BatchLines } from './batch-lines.js';
import { TokenCache } from './token-cache.js';

const OURS = new RedisScope({ redisUrl: '', secret: 'ours', onRefused: () => undefined });
const PATH = '/v1/chat/completions';
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };
const WALLET = '01890000-0000-7000-8000-000000000000';
const HASH = sha256('sk-of-the-batch');

let upstream: FakeUpstream;
let gateway: SmallGateway;
let token: CallerToken | undefined;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  token = { id: 't', name: 'test', walletId: WALLET, userId: 'u', disabled: false } as CallerToken;
  gateway = await startSmallGateway('lines', {
    batchLines: new BatchLines(OURS),
    tokens: new TokenCache(async (keyHash) => (keyHash === HASH ? token : undefined)),
    replies: {
      claim: async ({ requestId }: { requestId: string }) => ({ state: 'run', requestId }),
      complete: async () => undefined,
      forget: async () => undefined,
    } as never,
    replyEnds: { notify: () => undefined } as never,
  });
  gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const send = (header: string, key = 'batch_1.1') =>
  fetch(gateway.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, 'x-gateway-batch-line': header },
    body: JSON.stringify(CHAT),
  });
const sign = (walletId = WALLET) =>
  signBatchLine(OURS, { keyHash: HASH, walletId }, { path: PATH, idempotencyKey: 'batch_1.1' });

describe('a line of a batch', () => {
  it('is admitted by what its worker signed, and billed by the tier batch', async () => {
    expect((await send(sign())).status).toBe(200);
    await expect.poll(() => gateway.log).toHaveLength(1);
    expect(gateway.journal.at(-1)).toMatchObject({ phase: 'usage', usage: { tier: BATCH_TIER } });
    expect(gateway.log[0]).toMatchObject({ walletId: WALLET, usage: { tier: BATCH_TIER } });
  });

  it("goes by no address: the one that it comes from is its worker's", async () => {
    gateway.context.tokens.forget(HASH);
    token = { ...(token as CallerToken), allowedIps: new Set(['203.0.113.7']) };
    expect((await send(sign())).status).toBe(200);
    token = { ...token, allowedIps: undefined };
    gateway.context.tokens.forget(HASH);
  });

  it('is refused with a header that nobody signed for it, also beside a good key', async () => {
    const forged = sign().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await send(forged)).status).toBe(401);
    expect((await send(sign(), 'batch_1.2')).status).toBe(401);
    const beside = await gateway.post(PATH, CHAT, { 'x-gateway-batch-line': forged });
    expect(beside.status).toBe(401);
  });

  it('is refused once its key pays from another wallet, is disabled or is gone', async () => {
    expect((await send(sign('01890000-0000-7000-8000-000000000001'))).status).toBe(401);
    gateway.context.tokens.forget(HASH);
    token = { ...(token as CallerToken), disabled: true };
    expect((await send(sign())).status).toBe(401);
    gateway.context.tokens.forget(HASH);
    token = undefined;
    expect((await send(sign())).status).toBe(401);
  });
});
