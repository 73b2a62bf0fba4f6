import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FairShare, FreeShares } from '../access/fair-share.js';
import { ENDPOINTS } from '../openapi/write-document.js';
import { type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

/** More than a key or an address may ask for at once. */
const FLOOD = 700;
/** What every plane has: health is never shared out, and the rest is by address (start-http.spec.ts). */
const OF_EVERY_PLANE = new Set(['/healthz', '/readyz', '/metrics']);
/** A session is counted among the calls of its key, and its turns cost. */
const SESSION = /^\/(?:v1\/realtime|ws\/)/;
/** Nothing is refilled while a flood lasts, so that a slow machine refuses as a fast one does. */
const stopped = () => 0;

describe('M8: endpoints that cost nothing', () => {
  let gateway: SmallGateway;
  let isSummed = Promise.withResolvers<void>();
  let summing = 0;
  let mostSumming = 0;
  beforeEach(async () => {
    isSummed = Promise.withResolvers();
    summing = mostSumming = 0;
    const balance = { balance: 1n, held: 0n, creditLimit: 0n, quota: undefined, used: 0n };
    const shares = Object.assign(new FreeShares(), {
      calls: new FairShare({ perSecond: 200, burst: 400, atOnce: 16, waiting: 496 }, stopped),
      unknownKeys: new FairShare({ perSecond: 20, burst: 200, atOnce: 4, waiting: 252 }, stopped),
    });
    gateway = await startSmallGateway('m8', {
      shares,
      account: {
        readBalance: async () => balance,
        sumUsage: async () => {
          mostSumming = Math.max(mostSumming, ++summing);
          await isSummed.promise;
          summing--;
          return [];
        },
      } as unknown as SmallGateway['context']['account'],
    });
  });
  afterEach(() => gateway.close());

  async function flood(path: string, key: string, count = FLOOD): Promise<Response[]> {
    const headers = { authorization: `Bearer ${key}` };
    return Promise.all(Array.from({ length: count }, () => fetch(gateway.url + path, { headers })));
  }

  it('answer a key within its share, and tell it when to come back', async () => {
    const answers = await flood('/v1/models', gateway.key);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await refused?.json()).toMatchObject({ detail: { code: 'rate_limited', retry_after: 1 } });
  });

  it('answer a poll too many with 503, as the specification has no 429 for polls', async () => {
    const answers = await flood('/v1/video/generations/task_00000000000000000000000000000000', gateway.key);
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.map(({ status }) => status)).not.toContain(429);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  it('refuse an address that sends many unknown keys, and never a key that is good', async () => {
    const answers = await flood('/v1/models', 'sk-a-key-that-nobody-knows');
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const [good] = await flood('/v1/models', gateway.key, 1);
    expect(good?.status).toBe(200);
  });

  it('are each within a share of their key, or of their address where they want none', async () => {
    const spent = () =>
      new FairShare({ perSecond: 1, burst: 0, atOnce: 1, waiting: 0 }, stopped, async () => 0);
    const shares = { calls: spent(), sums: spent(), counts: spent(), strangers: spent() };
    const closed = await startSmallGateway('m8-closed', { shares: Object.assign(new FreeShares(), shares) });
    try {
      const headers = { authorization: `Bearer ${closed.key}` };
      const ask = async ({ method, path }: (typeof ENDPOINTS)[number]) => {
        const url = closed.url + path.replaceAll(/\{[^}]+\}/g, 'm');
        const answer = await fetch(url, { method: method.toUpperCase(), headers });
        const { detail } = (await answer.json()) as { detail?: { message?: string } };
        return detail?.message?.startsWith('Too many requests that cost nothing') === true;
      };
      const free = ENDPOINTS.filter(
        ({ cost, path }) => cost !== 'billed' && !OF_EVERY_PLANE.has(path) && !SESSION.test(path),
      );
      expect(free.length).toBeGreaterThan(50);
      const refused = await Promise.all(free.map(ask));
      expect(
        free.filter((_, index) => !refused[index]).map(({ method, path }) => `${method} ${path}`),
      ).toEqual([]);
    } finally {
      await closed.close();
    }
  });

  it('add up the usage of a key once at a time', async () => {
    const answers = flood('/v1/usage', gateway.key, 16);
    const [other] = await flood('/v1/models', gateway.key, 1);
    expect(other?.status).toBe(200);
    isSummed.resolve();
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      ...Array.from({ length: 8 }, () => 200),
      ...Array.from({ length: 8 }, () => 429),
    ]);
    expect(mostSumming).toBe(1);
  });
});
