import { GatewayError, type HoldOpenMessage, type HoldOpenReply, type HoldRequest } from '@mg/contract';
import { watchSlowness } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { HoldBatcher } from './hold-batcher.js';

function ask(id: string): HoldRequest {
  return {
    id,
    walletId: 'w',
    tokenId: 't',
    model: 'm',
    priceVersionId: 'p',
    wanted: 9_007_199_254_740_993n,
    minimum: 1n,
    ttlSeconds: 60,
    owner: { instance: 'i', epoch: 'e' },
  };
}

type Answer = (message: HoldOpenMessage) => Promise<HoldOpenReply>;

const grantAll: Answer = async ({ holds }) => ({ outcomes: holds.map((hold) => ({ granted: hold.wanted })) });

function setUp(answer: Answer = grantAll) {
  const sizes: number[] = [];
  const batcher = new HoldBatcher((message) => {
    sizes.push(message.holds.length);
    return answer(message);
  });
  const openMany = (count: number) =>
    Array.from({ length: count }, (_, index) => batcher.open(ask(`${index}`)));
  return { sizes, openMany, batcher };
}

describe('HoldBatcher', () => {
  it('sends what is asked within one turn in one message, and keeps amounts exact', async () => {
    const { sizes, openMany } = setUp();
    const outcomes = await Promise.all(openMany(20));
    expect(sizes).toEqual([20]);
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => ({ granted: 9_007_199_254_740_993n })));
  });

  it('never puts more into a message than billing takes', async () => {
    const { sizes, openMany } = setUp();
    await Promise.all(openMany(300));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(300);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(128);
  });

  it('gives each caller the outcome of their own question', async () => {
    const { openMany } = setUp(async () => ({
      outcomes: [
        { granted: '5' },
        { refused: 'quota_exceeded', message: 'no quota' },
        { failed: 'conflict', message: 'given up' },
      ],
    }));
    expect(await Promise.allSettled(openMany(4))).toMatchObject([
      { value: { granted: 5n } },
      { value: { refused: 'quota_exceeded', message: 'no quota' } },
      { reason: { code: 'conflict', message: 'given up' } },
      { reason: { code: 'service_unavailable' } },
    ]);
  });

  it('F13: refuses a call of an absurd price by itself, naming a field of the caller, and caps what is wanted', async () => {
    const { batcher, sizes } = setUp();
    const absurd = 10n ** 18n;
    const outcomes = await Promise.allSettled([
      batcher.open({ ...ask('0'), minimum: absurd, wanted: absurd }),
      batcher.open({ ...ask('1'), wanted: absurd }),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { code: 'invalid_request', param: 'model' } },
      { value: { granted: absurd - 1n } },
    ]);
    expect(sizes).toEqual([1]);
  });

  it('F1: asks again for a hold whose wallet is locked, and lets the others go on at once', async () => {
    let asked = 0;
    const { openMany, sizes } = setUp(async ({ holds }) => {
      asked++;
      return {
        outcomes: holds.map((hold) =>
          hold.id === '1' && asked < 3
            ? { failed: 'service_unavailable', message: 'locked', busy: true }
            : { granted: hold.wanted },
        ),
      };
    });
    const [first, locked, third] = openMany(3);
    await Promise.all([first, third]);
    expect(asked).toBe(1);
    expect(await locked).toMatchObject({ granted: expect.anything() });
    expect(sizes).toEqual([3, 1, 1]);
  });

  it('asks again for a hold that only leases keep from being granted, and for no other that is refused', async () => {
    let asked = 0;
    const refused = { refused: 'insufficient_balance', message: 'no money' } as const;
    const { openMany, sizes } = setUp(async ({ holds }) => {
      asked++;
      return {
        outcomes: holds.map((hold) => {
          if (hold.id === '0') return refused;
          return asked < 3 ? { ...refused, leased: true } : { granted: hold.wanted };
        }),
      };
    });
    expect(await Promise.all(openMany(2))).toEqual([refused, { granted: 9_007_199_254_740_993n }]);
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('F1: gives up on a wallet that stays locked within two seconds', async () => {
    const { openMany } = setUp(async ({ holds }) => ({
      outcomes: holds.map(() => ({ failed: 'service_unavailable', message: 'locked', busy: true })),
    }));
    const readSlowness = watchSlowness();
    const startedMs = performance.now();
    expect(await Promise.allSettled(openMany(1))).toMatchObject([
      { reason: { code: 'service_unavailable' } },
    ]);
    expect(performance.now() - startedMs).toBeLessThan(3_000 * readSlowness());
  });

  it('fails those who wait behind as well when billing is away, but not when one message was wrong', async () => {
    const away = setUp(() => Promise.reject(new GatewayError('service_unavailable', 'away')));
    const refusals = await Promise.allSettled(away.openMany(400));
    expect(refusals.every((outcome) => outcome.status === 'rejected')).toBe(true);
    expect(away.sizes).toHaveLength(2);

    let first = true;
    const wrong = setUp((message) => {
      if (!first) return grantAll(message);
      first = false;
      return Promise.reject(new GatewayError('invalid_request', 'wrong'));
    });
    const outcomes = await Promise.allSettled(wrong.openMany(400));
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(128);
  });
});
