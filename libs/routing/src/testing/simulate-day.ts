import { type Channel, DEFAULT_TIMEOUTS, type RoutingStrategy } from '@mg/contract';
import { ChannelHealth, type FailureKind } from '../channel-health.js';
import { ChannelLoad } from '../channel-load.js';
import { planAttempts } from '../plan-attempts.js';
import { RetryBudget } from '../retry-budget.js';

const DAY_MS = 24 * 3_600_000;
const SLUG = 'm';

/** How a call is answered, by the clock of the simulation. */
interface Answer {
  readonly ms: number;
  readonly failure?: FailureKind;
  readonly retryAfterMs?: number;
}

interface Upstream {
  /** What a call costs us, in thousandths of a cent. */
  readonly cost: number;
  answer(nowMs: number, random: () => number): Answer;
}

/** How a day of calls went. */
export interface Day {
  readonly calls: number;
  /** Calls that were answered. */
  readonly successShare: number;
  /** Until the answer or the last failure, of 95 calls in a hundred. */
  readonly p95Ms: number;
  /** Of an answered call. */
  readonly meanCost: number;
  /** Failed attempts for each call. */
  readonly failedAttempts: number;
}

export interface DayOptions {
  readonly calls: number;
  /** Without one: by weight alone, nothing is learnt of failures. */
  readonly strategy?: RoutingStrategy;
}

/** A day's traffic over five channels of one priority: one good, one slow, one down for hours, one limited, one flaky. */
export function simulateDay({ calls, strategy }: DayOptions): Day {
  let nowMs = 0;
  const random = createRandom(42);
  const upstreams = createUpstreams(calls);
  const channels = Object.keys(upstreams).map(toChannel);
  const health = new ChannelHealth(() => nowMs);
  const load = new ChannelLoad(() => nowMs);
  const retries = new RetryBudget(() => nowMs);
  const costOf = ({ id }: Channel) => BigInt(upstreams[id]?.cost ?? 0);
  const times: number[] = [];
  let answered = 0;
  let failed = 0;
  let cost = 0;
  for (let call = 0; call < calls; call++) {
    const arrivedMs = (call * DAY_MS) / calls;
    nowMs = arrivedMs;
    retries.noteCall();
    const ordering = strategy && { strategy, slug: SLUG, load, answer: 'stream' as const, costOf };
    const { attempts } = planAttempts({ slug: SLUG, channels, health, random, ordering });
    for (const [index, { channel }] of attempts.entries()) {
      if (index > 0 && strategy && !retries.take()) break;
      const part = { channelId: channel.id, slug: SLUG };
      if (strategy && health.admit(part) === 'wait') continue;
      const upstream = upstreams[channel.id];
      const { ms, failure, retryAfterMs } = upstream?.answer(nowMs, random) ?? { ms: 0 };
      nowMs += ms;
      if (!failure) {
        if (strategy) health.recordSuccess(part);
        load.recordLatency(channel.id, SLUG, 'stream', ms);
        answered++;
        cost += upstream?.cost ?? 0;
        break;
      }
      failed++;
      if (strategy) health.recordFailure(part, { kind: failure, retryAfterMs });
    }
    times.push(nowMs - arrivedMs);
  }
  times.sort((a, b) => a - b);
  return {
    calls,
    successShare: answered / calls,
    p95Ms: Math.round(times[Math.floor(calls * 0.95)] ?? 0),
    meanCost: cost / answered,
    failedAttempts: failed / calls,
  };
}

function createUpstreams(calls: number): Readonly<Record<string, Upstream>> {
  const around = (ms: number, random: () => number) => ms * (0.7 + 0.6 * random());
  const minute = { at: -1, calls: 0 };
  /** The limited one takes a tenth of the traffic. */
  const perMinute = Math.max(1, Math.floor(calls / 1_440 / 10));
  return {
    good: {
      cost: 10,
      answer: (_now, random) =>
        random() < 0.001 ? { ms: 300, failure: 'broken' } : { ms: around(300, random) },
    },
    slow: { cost: 4, answer: (_now, random) => ({ ms: around(2_500, random) }) },
    down: {
      cost: 8,
      // An hour of every four.
      answer: (now, random) =>
        now % (DAY_MS / 6) < DAY_MS / 24 ? { ms: 1_000, failure: 'broken' } : { ms: around(400, random) },
    },
    limited: {
      cost: 5,
      answer: (now, random) => {
        const at = Math.floor(now / 60_000);
        minute.calls = at === minute.at ? minute.calls + 1 : 1;
        minute.at = at;
        if (minute.calls <= perMinute) return { ms: around(350, random) };
        return { ms: 50, failure: 'limited', retryAfterMs: 60_000 - (now % 60_000) };
      },
    },
    flaky: {
      cost: 6,
      answer: (_now, random) =>
        random() < 0.2 ? { ms: 800, failure: 'broken' } : { ms: around(450, random) },
    },
  };
}

function toChannel(id: string): Channel {
  return {
    id,
    name: id,
    type: 'openai-compatible',
    baseUrl: undefined,
    apiKeys: [],
    models: new Map([[SLUG, SLUG]]),
    settings: {},
    priority: 0,
    weight: 1,
    timeouts: DEFAULT_TIMEOUTS,
  };
}

/** The same numbers for the same seed, uniform in [0, 1): mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
