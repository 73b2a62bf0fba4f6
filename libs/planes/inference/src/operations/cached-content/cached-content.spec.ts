import { type Catalog, parsePrice, type PriceSheet } from '@mg/contract';
import type { CachedContents } from '@mg/persistence/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, startScriptedUpstream } from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const PRICE = { input_per_million: '1', output_per_million: '2' };
const STORED = { ...PRICE, cache_write_1h_per_million: '5' };
const BODY = { model: 'models/m', contents: [{ role: 'user', parts: [{ text: 'A long text.' }] }] };
const KEPT = { name: 'cachedContents/theirs', usageMetadata: { totalTokenCount: 40 } };

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
let price: PriceSheet;
let held: number;
const rows: { readonly keyHash?: string; readonly paidSeconds: number; readonly ttlSeconds: number }[] = [];
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(async () => {
  price = STORED;
  held = 0;
  rows.length = 0;
  upstream.asked.length = 0;
  upstream.answer = { body: JSON.stringify(KEPT) };
  const created = new Date();
  const cachedContents = {
    count: async () => held,
    create: async (_wallet: string, content: (typeof rows)[number]) => {
      rows.push(content);
      return { ...content, createdAt: created, updatedAt: created, expiresAt: created, paidUntil: created };
    },
  } as unknown as CachedContents;
  const catalog = () => {
    const prices = [{ versionId: 'p', effectiveFrom: 0, price: parsePrice(price) }];
    const model = { slug: 'm', kind: 'chat', createdAt: 0, prices };
    return {
      version: 1,
      channelsBySlug: new Map([['m', gateway.channels]]),
      models: new Map([['m', model]]),
    } as unknown as Catalog;
  };
  gateway = await startSmallGateway('kept', { cachedContents, catalog });
  gateway.channels = [
    makeChannel('g', { type: 'gemini', baseUrl: `${upstream.url}/v1beta`, apiKeys: ['key-of-google'] }),
  ];
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

const create = (body: object = {}) => gateway.post('/v1beta/cachedContents', { ...BODY, ...body });

describe('a cached content', () => {
  it('is charged by the rate of an hour, for which the provider is asked, however soon it ends', async () => {
    const answer = await create({ ttl: '60s' });
    expect([answer.status, answer.headers.get('x-gateway-cost')]).toEqual([200, '0.0002']);
    expect(upstream.asked[0]).toMatchObject({ path: '/v1beta/cachedContents', body: { ttl: '3660s' } });
    expect(rows).toMatchObject([{ ttlSeconds: 60, paidSeconds: 3_600, keyHash: expect.any(String) }]);
    expect(await answer.json()).toMatchObject({ model: 'models/m', usageMetadata: { totalTokenCount: 40 } });
  });

  it('is estimated where the provider counts no tokens', async () => {
    upstream.answer = { body: JSON.stringify({ name: KEPT.name }) };
    const answer = await create();
    expect(Number(answer.headers.get('x-gateway-cost'))).toBeGreaterThan(0);
    await expect.poll(() => gateway.log[0]).toMatchObject({ estimated: true });
  });

  it('is not made where its storage has no price, the wallet has its share, or nobody keeps any', async () => {
    price = PRICE;
    expect((await create()).status).toBe(404);
    price = STORED;
    held = 100;
    expect((await create()).status).toBe(429);
    held = 0;
    gateway.channels = [makeChannel('o', { baseUrl: `${upstream.url}/v1`, apiKeys: ['k'] })];
    expect((await create()).status).toBe(400);
    expect(upstream.asked).toHaveLength(0);
  });

  it('that the provider does not make costs nothing, and no other channel is asked', async () => {
    gateway.channels = [
      ...gateway.channels,
      makeChannel('h', { ...gateway.channels[0], name: 'h', id: 'h' }),
    ];
    upstream.answer = { body: '{"name":7}' };
    expect((await create()).status).toBe(502);
    expect(upstream.asked).toHaveLength(1);
    expect(rows).toEqual([]);
    await expect.poll(() => gateway.log[0]).toMatchObject({ reason: 'upstream_failed' });
  });
});
