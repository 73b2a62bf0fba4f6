import { type Limits, newId, nextSequence, scopeLimits } from '@mg/contract';
import type { ReportItem, TakeAnswer, TakeItem } from '@mg/transport';
import { describe, expect, it } from 'vitest';
import { ChannelRates } from './channel-rates.js';

const ID = newId();

/** Asks for a submit at a channel with these limits, of a Redis that answers so. */
async function take(limits: Limits, answer: Partial<TakeAnswer> = {}) {
  const asked: (readonly TakeItem[])[] = [];
  const reported: ReportItem[] = [];
  const rates = new ChannelRates({
    take: async (items) => {
      asked.push(items);
      return { state: 'granted', nowMs: 0, waitMs: 0, meters: [], ...answer };
    },
    report: async (items) => {
      reported.push(...items);
      return { nowMs: 0, dataEpoch: '1', gateways: 1, rank: 0, used: [] };
    },
  });
  const { waitSeconds, giveBack } = await rates.take({
    limits: scopeLimits('channel', ID, limits, nextSequence()),
  });
  return { waitSeconds, giveBack, asked, reported };
}

describe('a submit', () => {
  it('counts in the windows that gateways count their calls in', async () => {
    const { waitSeconds, asked } = await take({ rpm: 5, rpd: 100, tpm: 1_000, concurrency: 2 });
    expect(waitSeconds).toBe(0);
    expect(asked).toEqual([
      [
        {
          meter: { name: `channel:${ID}:rpm`, kind: 'window', limit: 5, bucketMs: 1_000, buckets: 60 },
          need: 1,
          want: 0,
        },
        {
          meter: { name: `channel:${ID}:rpd`, kind: 'window', limit: 100, bucketMs: 600_000, buckets: 144 },
          need: 1,
          want: 0,
        },
      ],
    ]);
  });

  it.each([{}, { concurrency: 1, tpm: 5 }])(
    'asks for nothing at a channel without rates: %j',
    async (limits) => {
      const { waitSeconds, giveBack, asked, reported } = await take(limits);
      await giveBack();
      expect([waitSeconds, asked, reported]).toEqual([0, [], []]);
    },
  );

  it('that is not sent is taken out of the span of time that it was counted in', async () => {
    const nowMs = 3 * 600_000 + 1_500;
    const { giveBack, reported } = await take({ rpm: 5, rpd: 100 }, { nowMs });
    expect(reported).toEqual([]);
    await giveBack();
    expect(reported).toMatchObject([
      { meter: { name: `channel:${ID}:rpm` }, bucket: 1_801, amount: -1 },
      { meter: { name: `channel:${ID}:rpd` }, bucket: 3, amount: -1 },
    ]);
  });

  it.each([
    ['refused', 4_200, 5],
    ['refused', 3_600_000, 30],
    ['later', 1, 1],
  ] as const)('that is %s for %i ms is tried again in %i s', async (state, waitMs, seconds) => {
    expect((await take({ rpm: 5 }, { state, waitMs })).waitSeconds).toBe(seconds);
  });
});
