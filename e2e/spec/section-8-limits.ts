import { parseUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { ConsoleClient, type TokenRow } from '../src/clients/console-client.js';
import { request } from '../src/clients/gateway-client.js';
import { IMAGE_PRICE } from '../src/deployment/conditions.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { SECOND_PRICE } from '../src/deployment/videos.js';
import { waitUntil } from '../src/wait-until.js';
import { ask, endpointOf, PNG, png, POLLS } from './endpoints.js';
import { expectFailure } from './expect-failure.js';

const MEGABYTES_4 = 4 * 1024 * 1024;
/** So many calls at once on a quota that covers so many of them. */
const PARALLEL = 6;
const COVERED = 2;

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(64)]);

const named = (bytes: Uint8Array, type: string) => new Blob([new Uint8Array(bytes)], { type });

interface Row {
  readonly limit: string;
  readonly endpoint: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The field that the refusal names; none for what is within the limit. */
  readonly refused?: string;
}

/** Section 8's table, at each limit from both sides. */
const ROWS: readonly Row[] = [
  { limit: 'a PNG is taken', endpoint: 7, fields: { image: png() } },
  { limit: 'a PNG is one by content, not by name', endpoint: 7, fields: { image: named(PNG, 'image/jpeg') } },
  { limit: 'a JPEG called PNG', endpoint: 7, fields: { image: named(JPEG, 'image/png') }, refused: 'image' },
  {
    limit: 'a WebP',
    endpoint: 7,
    fields: { image: named(Buffer.from('RIFF0000WEBPVP8 '), 'image/png') },
    refused: 'image',
  },
  {
    limit: 'an empty image',
    endpoint: 7,
    fields: { image: named(Buffer.alloc(0), 'image/png') },
    refused: 'image',
  },
  { limit: 'no image', endpoint: 7, fields: { image: undefined }, refused: 'image' },
  { limit: 'an image below 4 MB', endpoint: 7, fields: { image: png(MEGABYTES_4 - 1) } },
  { limit: 'an image of 4 MB', endpoint: 7, fields: { image: png(MEGABYTES_4) }, refused: 'image' },
  { limit: 'an image of 9 MB', endpoint: 7, fields: { image: png(9_000_000) }, refused: 'image' },
  { limit: 'a PNG as mask', endpoint: 7, fields: { mask: png() } },
  { limit: 'a JPEG as mask', endpoint: 7, fields: { mask: named(JPEG, 'image/png') }, refused: 'mask' },
  { limit: 'two images', endpoint: 7, fields: { n: 2 } },
  { limit: 'no images at all', endpoint: 7, fields: { n: 0 }, refused: 'n' },
  { limit: 'fewer than none', endpoint: 7, fields: { n: -1 }, refused: 'n' },
  { limit: 'half an image', endpoint: 7, fields: { n: 1.5 }, refused: 'n' },
  { limit: 'fewer images than none', endpoint: 6, fields: { n: -1 }, refused: 'n' },
  { limit: 'a size of one side', endpoint: 6, fields: { size: '1024' }, refused: 'size' },
  { limit: 'a size of no width', endpoint: 6, fields: { size: '0x1024' }, refused: 'size' },
  { limit: 'a size of words', endpoint: 7, fields: { size: 'wide' }, refused: 'size' },
  ...[4, 5, 14, 15].map((duration) => ({ limit: `${duration} s`, endpoint: 10, fields: { duration } })),
  ...[3, 16, 0, -4, 4.5, '5', [5], true, 1e9].map((duration) => ({
    limit: `${JSON.stringify(duration)} s`,
    endpoint: 10,
    fields: { duration },
    refused: 'duration',
  })),
  ...[1, 20].map((duration) => ({ limit: `${duration} s`, endpoint: 8, fields: { duration } })),
  ...[0, -5, 5.5, '5', [5]].map((duration) => ({
    limit: `${JSON.stringify(duration)} s`,
    endpoint: 8,
    fields: { duration },
    refused: 'duration',
  })),
  ...['16:0', '0:9', '16/9', '16:9:1', ''].map((ratio) => ({
    limit: `a ratio of "${ratio}"`,
    endpoint: 10,
    fields: { ratio },
    refused: 'ratio',
  })),
];

/** Specification, section 8: limits, and what a video costs in advance. */
export function describeLimits(get: () => Deployment): void {
  const readWallet = async (key: string) => {
    const answer = await request(get(), '/v1/usage', { headers: { authorization: `Bearer ${key}` } });
    return (JSON.parse(answer.text) as { wallet: { balance: string; held: string; available: string } })
      .wallet;
  };

  describe('section 8, limits', () => {
    it.each(ROWS.filter(({ refused }) => refused === undefined))(
      '8: endpoint $endpoint takes $limit',
      async ({ endpoint, fields }) => {
        const answer = await ask(get(), endpointOf(endpoint), { fields });
        expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
      },
    );

    it.each(ROWS.filter(({ refused }) => refused !== undefined))(
      '8: endpoint $endpoint refuses $limit',
      async ({ endpoint, fields, refused = '' }) => {
        const answer = await ask(get(), endpointOf(endpoint), { fields });
        expectFailure(answer, 'openai', { status: 400, code: 'invalid_request', param: refused });
      },
    );

    it.each([6, 7])(
      '8: endpoint %i gives one image unless n asks for more, each at its price',
      async (number) => {
        for (const [n, images] of [
          [undefined, 1],
          [2, 2],
        ] as const) {
          const answer = await ask(get(), endpointOf(number), { fields: { n } });
          const { data } = JSON.parse(answer.text) as { data: unknown[] };
          expect([n, data.length]).toEqual([n, images]);
          expect(Number(answer.headers.get('x-gateway-cost'))).toBeCloseTo(images * Number(IMAGE_PRICE), 9);
        }
      },
    );

    it.each([
      [8, undefined, 5],
      [8, 5, 5],
      [8, 12, 12],
      [10, undefined, 5],
      [10, 15, 15],
    ])('8: endpoint %i with a duration of %s costs %i seconds', async (number, duration, seconds) => {
      const answer = await ask(get(), endpointOf(number), { fields: { duration } });
      expect(Number(answer.headers.get('x-gateway-cost'))).toBeCloseTo(seconds * Number(SECOND_PRICE), 9);
    });

    it('8: creating a video deducts its cost before there is a video, and polls deduct nothing', async () => {
      for (const { number, path } of POLLS) {
        const before = Number((await readWallet(KEYS.deposits)).available);
        const made = await ask(get(), endpointOf(number - 1), { key: KEYS.deposits, model: 'video-queued' });
        const cost = Number(made.headers.get('x-gateway-cost'));
        expect(cost).toBeGreaterThan(0);
        expect(Number((await readWallet(KEYS.deposits)).available)).toBeCloseTo(before - cost, 9);
        const { id } = JSON.parse(made.text) as { id: string };
        const headers = { authorization: `Bearer ${KEYS.deposits}` };
        for (let poll = 0; poll < 5; poll++) await request(get(), `${path}/${id}`, { headers });
        expect(Number((await readWallet(KEYS.deposits)).available)).toBeCloseTo(before - cost, 9);
      }
    });

    it('8: a spending quota is a cap in USD: what would go beyond it is refused, what fits is served', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('rules');
      const fields = { name: 'rule-8', wallet_id: wallet.id, spending_quota: '0.50' };
      const { id, key = '' } = await console.demand<TokenRow>('POST', '/tokens', fields);
      const video = (duration: number) => ask(get(), endpointOf(8), { key, fields: { duration } });
      expectFailure(await video(11), 'openai', { status: 429, code: 'quota_exceeded' });
      expect((await video(10)).status).toBe(200);
      expectFailure(await video(1), 'openai', { status: 429, code: 'quota_exceeded' });
      await console.demand('DELETE', `/tokens/${id}`);
    });

    it.each([
      [6, '0.08'],
      [7, '0.08'],
      [8, '0.50'],
      [10, '0.50'],
    ])(
      '8: of parallel calls of endpoint %i a quota of %s USD admits what it covers',
      async (number, quota) => {
        const console = await ConsoleClient.asAdmin(get());
        const { id: wallet_id } = await console.findWallet('rules');
        const fields = { name: `rule-8-${number}`, wallet_id, spending_quota: quota };
        const { id, key = '' } = await console.demand<TokenRow>('POST', '/tokens', fields);
        const calls = Array.from({ length: PARALLEL }, () => ask(get(), endpointOf(number), { key }));
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
        const admitted = statuses.filter((status) => status === 200).length;
        expect(admitted).toBe(COVERED);
        const used = await waitUntil('what was used', async () => {
          const token = await console.demand<{ used: string; held: string }>('GET', `/tokens/${id}`);
          return token.held === '0' && token.used;
        });
        expect(parseUsd(used)).toBeLessThanOrEqual(parseUsd(quota));
        await console.demand('DELETE', `/tokens/${id}`);
      },
    );

    it('8: a key is valid until its expiry and not after it', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const soon = new Date(Date.now() + 1_500).toISOString();
      const { key = '' } = await console.demand<TokenRow>('POST', '/tokens', {
        name: 'rule-9',
        expires_at: soon,
      });
      const look = async () => (await request(get(), '/v1/models', { headers: { 'x-api-key': key } })).status;
      expect(await look()).toBe(200);
      await expect.poll(look, { timeout: 4_000, interval: 50 }).toBe(401);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
    });
  });
}
