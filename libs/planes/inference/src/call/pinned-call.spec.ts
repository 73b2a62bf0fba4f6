import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Channel, sha256 } from '@mg/contract';
import type { CachedContent, CachedContents } from '@mg/persistence/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const KEYS = ['key-one-of-google', 'key-two-of-google', 'key-three-of-google'];
const ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 9,
    cachedContentTokenCount: 7,
    candidatesTokenCount: 1,
    totalTokenCount: 10,
  },
};

/** Google, asked by several keys at two addresses. */
let provider: Server;
let status = 200;
const asked: { readonly path: string; readonly key: unknown; readonly body: unknown }[] = [];
let gateway: SmallGateway;
let holder: Channel;
beforeAll(async () => {
  provider = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
      asked.push({ path: request.url ?? '', key: request.headers['x-goog-api-key'], body });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? ANSWER : { error: { code: status, message: 'no' } }));
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
beforeEach(async () => {
  status = 200;
  asked.length = 0;
  const { port } = provider.address() as AddressInfo;
  const [first, second] = ['a', 'b'].map((name) =>
    makeChannel(name, { type: 'gemini', baseUrl: `http://127.0.0.1:${port}/${name}/v1beta`, apiKeys: KEYS }),
  ) as [Channel, Channel];
  holder = second;
  const find = async (_wallet: string, id: string): Promise<CachedContent | undefined> =>
    id === 'mine'
      ? ({
          id,
          model: 'm',
          channelId: holder.id,
          keyHash: sha256(KEYS[1] ?? ''),
          upstreamName: 'cachedContents/theirs',
        } as CachedContent)
      : undefined;
  gateway = await startSmallGateway('pinned', { cachedContents: { find } as unknown as CachedContents });
  gateway.channels = [first, second];
});
afterEach(() => gateway.close());
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

const ask = (cachedContent: string, headers: Record<string, string> = {}) =>
  gateway.post(
    '/v1beta/models/m:generateContent',
    { cachedContent, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    headers,
  );

describe('a call that goes on from a cached content', () => {
  it('goes to the channel and key that have it, every time, and names it as they do', async () => {
    for (let at = 0; at < 6; at++) expect((await ask('cachedContents/mine')).status).toBe(200);
    expect(asked).toHaveLength(6);
    for (const call of asked) {
      expect(call).toMatchObject({
        path: '/b/v1beta/models/m:generateContent',
        key: KEYS[1],
        body: { cachedContent: 'cachedContents/theirs' },
      });
    }
  });

  it.each([429, 401, 500])('goes nowhere else when they answer %i', async (failure) => {
    status = failure;
    expect((await ask('cachedContents/mine')).status).toBeGreaterThanOrEqual(502);
    expect(asked.map(({ path, key }) => [path.slice(0, 2), key])).toEqual([['/b', KEYS[1]]]);
  });

  it('is a 503 that says why while the channel or its key is away', async () => {
    gateway.channels = gateway.channels.filter((channel) => channel !== holder);
    const away = await ask('cachedContents/mine');
    expect([away.status, await away.text()]).toEqual([503, expect.stringContaining('cached content')]);
    gateway.channels = [...gateway.channels, { ...holder, apiKeys: [KEYS[0] ?? ''] }];
    expect((await ask('cachedContents/mine')).status).toBe(503);
    expect(asked).toHaveLength(0);
  });

  it('is refused where the name is not one of the wallet, and beside other models', async () => {
    for (const name of ['cachedContents/theirs', 'theirs', 'cachedContents/../files/1']) {
      expect((await ask(name)).status).toBe(400);
    }
    expect((await ask('cachedContents/mine', { 'x-gateway-fallback': 'm' })).status).toBe(400);
    expect(asked).toHaveLength(0);
  });
});
