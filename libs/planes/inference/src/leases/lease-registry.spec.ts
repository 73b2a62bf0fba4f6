import type { HoldOwner, LeaseOutcome, LeaseRequest, LeaseReturn } from '@mg/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LeaseRegistry } from './lease-registry.js';
import type { LeasedCall } from './lease-slice.js';

const OWNER: HoldOwner = { instance: 'gateway/a', epoch: 'e' };
const PAYER = { walletId: 'w', tokenId: 't' };
const WORST = 10n;

/** Billing as one lease after the other sees it. */
class Billing {
  readonly asked: LeaseRequest[] = [];
  readonly returned: LeaseReturn[] = [];
  /** What it keeps for each lease. */
  readonly kept = new Map<string, bigint>();
  answer: (request: LeaseRequest) => LeaseOutcome | Promise<LeaseOutcome> = ({ wanted }) => ({
    granted: wanted,
  });
  isAway = false;

  async openLeases(_: HoldOwner, requests: readonly LeaseRequest[]): Promise<LeaseOutcome[]> {
    this.asked.push(...requests);
    const outcomes = await Promise.all(requests.map(async (request) => this.answer(request)));
    for (const [index, outcome] of outcomes.entries()) {
      const id = requests[index]?.id ?? '';
      if ('granted' in outcome && !this.kept.has(id)) this.kept.set(id, outcome.granted);
    }
    if (this.isAway) throw new Error('no reply');
    return outcomes;
  }

  async returnLeases(_: HoldOwner, leases: readonly LeaseReturn[]): Promise<string[]> {
    if (this.isAway) throw new Error('no reply');
    this.returned.push(...leases);
    for (const { id, amount } of leases) {
      const kept = this.kept.get(id) ?? 0n;
      this.kept.set(id, amount < kept ? amount : kept);
    }
    return leases.map(({ id }) => id);
  }
}

function setUp(options: { maxLeased?: number; flushUsage?: () => Promise<boolean> } = {}) {
  const billing = new Billing();
  const held = new Map<string, number>();
  const book = new LeaseRegistry({
    port: billing,
    owner: OWNER,
    held: {
      begin: (id, askedMs) => held.set(id, askedMs),
      end: (id) => held.delete(id),
    },
    ttlSeconds: () => 1_200,
    flushUsage: async () => true,
    onFailure: () => {},
    ...options,
  });
  const admit = (payer = PAYER) => book.admit(payer, WORST);
  /** Enough calls for a lease to be worth it; the first of them ask for holds. */
  const warmUp = async (payer = PAYER) => {
    for (let call = 0; call < 6; call++) admit(payer)?.release();
    await pass(20);
  };
  return { billing, held, book, admit, warmUp };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the leases of a gateway', () => {
  it('admit calls of a busy payer in memory, and ask for the next lease before this one is over', async () => {
    const { billing, admit } = setUp();
    const admissions: boolean[] = [];
    for (let round = 0; round < 1_000; round++) {
      const call = admit();
      admissions.push(call !== undefined);
      call?.settle(3n);
      await pass(20);
    }
    expect(admissions.indexOf(true)).toBeLessThan(10);
    expect(admissions.slice(10).every(Boolean)).toBe(true);
    // Twenty seconds: a lease every two and a half or so.
    expect(billing.asked.length).toBeLessThan(16);
  });

  it('are no use to a payer who calls now and then', async () => {
    const { billing, admit } = setUp();
    for (let round = 0; round < 20; round++) {
      expect(admit()).toBeUndefined();
      await pass(600);
    }
    expect(billing.asked).toEqual([]);
  });

  it('admit nothing once their time is over, counted from before they were asked for', async () => {
    const { billing, admit } = setUp();
    billing.answer = async ({ wanted }) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return { granted: wanted };
    };
    for (let call = 0; call < 6; call++) admit();
    await pass(1_010);
    expect(admit()).toBeDefined();
    billing.answer = () => ({ refused: 'small' });
    // As a process that is stopped and goes on: no timer has run, but the clock has.
    vi.setSystemTime(Date.now() + 3_500);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_500);
    expect(admit()).toBeUndefined();
    vi.restoreAllMocks();
  });

  it('are given back when they are not used any more: what is in progress at first, then all', async () => {
    const { billing, held, admit, warmUp, book } = setUp();
    await warmUp();
    const [running, done] = [admit(), admit()];
    done?.settle(4n);
    await pass(5_100);
    const id = running?.lease.id ?? '';
    const returned = () => billing.returned.filter((lease) => lease.id === id);
    expect(returned()).toMatchObject([{ amount: 14n, isFinal: false }]);
    expect(held.has(id)).toBe(true);
    running?.settle(99n);
    await pass(600);
    expect(returned().slice(1)).toMatchObject([{ amount: 14n, isFinal: true }]);
    expect([held.size, book.size]).toEqual([0, 0]);
  });

  it('are not closed before the rows of their calls are in Postgres', async () => {
    let isWritten = false;
    const { billing, warmUp } = setUp({ flushUsage: async () => isWritten });
    await warmUp();
    await pass(7_000);
    expect(billing.returned).toEqual([]);
    isWritten = true;
    await pass(600);
    expect(billing.returned).toMatchObject([{ isFinal: true }]);
  });

  it('give a recalled wallet what is not in use, at once, and take nothing from it for a while', async () => {
    const { billing, admit, warmUp, book } = setUp();
    await warmUp();
    admit();
    book.recall(PAYER.walletId);
    await pass(1);
    expect(billing.returned).toMatchObject([{ amount: WORST, isFinal: false }]);
    for (let round = 0; round < 48; round++) {
      expect(admit()).toBeUndefined();
      await pass(100);
    }
    expect(billing.asked).toHaveLength(1);
    await pass(200);
    for (let call = 0; call < 6; call++) admit();
    await pass(20);
    expect(admit()).toBeDefined();
  });

  it('that are granted after the recall of their wallet are given back', async () => {
    const { billing, admit, book } = setUp();
    billing.answer = async ({ wanted }) => {
      book.recall(PAYER.walletId);
      return { granted: wanted };
    };
    for (let call = 0; call < 6; call++) admit();
    await pass(600);
    expect(admit()).toBeUndefined();
    expect(billing.returned).toMatchObject([{ amount: 0n, isFinal: true }]);
  });

  it('that nobody answered for are given back until billing says so', async () => {
    const { billing, warmUp } = setUp();
    billing.isAway = true;
    await warmUp();
    await pass(3_000);
    expect(billing.returned).toEqual([]);
    billing.isAway = false;
    await pass(600);
    expect(billing.returned).toMatchObject([{ id: billing.asked[0]?.id, amount: 0n, isFinal: true }]);
    expect([...billing.kept.values()]).toEqual([0n]);
  });

  it('are refused to a small wallet for two seconds, then asked for again', async () => {
    const { billing, admit } = setUp();
    billing.answer = () => ({ refused: 'small' });
    for (let round = 0; round < 100; round++) {
      admit();
      await pass(50);
    }
    expect(billing.asked.length).toBeLessThanOrEqual(3);
  });

  it('are bounded: the payer who called least recently goes back to holds', async () => {
    const { billing, admit, warmUp } = setUp({ maxLeased: 2 });
    const payers = ['a', 'b', 'c'].map((tokenId) => ({ walletId: 'w', tokenId }));
    const [a, b, c] = payers;
    await warmUp(a);
    await warmUp(b);
    admit(a)?.release();
    await warmUp(c);
    await pass(600);
    const given = billing.returned.map(({ tokenId }) => tokenId);
    expect(given).toEqual(['b']);
  });

  it('are all given back when the gateway stops', async () => {
    const { billing, admit, warmUp, book } = setUp();
    await warmUp();
    const call = admit();
    call?.settle(7n);
    await book.close();
    expect(billing.returned).toMatchObject([{ amount: 7n, isFinal: true }]);
    expect(admit()).toBeUndefined();
  });

  it('never admit more than billing keeps, whatever is asked, answered, ended, recalled or lost', async () => {
    const action = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('call' as const), worst: fc.bigInt(1n, 40n) }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('end' as const), of: fc.nat(), cost: fc.bigInt(0n, 60n) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('checkpoint' as const), of: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(3_000) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('recall' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const), isAway: fc.boolean() }) },
    );
    const share = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 80 }), share, async (actions, shares) => {
        const { billing, book } = setUp();
        billing.answer = ({ wanted }) => {
          const percent = shares[billing.asked.length % shares.length] ?? 0;
          return percent < 20 ? { refused: 'busy' } : { granted: (wanted * BigInt(percent)) / 100n };
        };
        const calls: { readonly call: LeasedCall; taken: bigint }[] = [];
        for (const one of actions) {
          const known = 'of' in one ? calls[one.of % Math.max(calls.length, 1)] : undefined;
          if (one.kind === 'call') {
            const call = book.admit(PAYER, one.worst);
            if (call) calls.push({ call, taken: one.worst });
          } else if (one.kind === 'wait') await pass(one.ms);
          else if (one.kind === 'recall') book.recall(PAYER.walletId);
          else if (one.kind === 'away') billing.isAway = one.isAway;
          else if (known && !known.call.isOver) {
            if (one.kind === 'checkpoint') known.call.noteCheckpoint();
            else {
              const { worst, isCheckpointed } = known.call;
              known.taken = isCheckpointed || one.cost > worst ? worst : one.cost;
              known.call.settle(one.cost);
            }
          }
          for (const [id, ofLease] of Map.groupBy(calls, ({ call }) => call.lease.id)) {
            const claimed = ofLease.reduce((sum, { taken }) => sum + taken, 0n);
            expect(claimed).toBeLessThanOrEqual(billing.kept.get(id) ?? 0n);
          }
        }
        billing.isAway = false;
        for (const { call } of calls) call.release();
        await book.close();
        expect(book.size).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
