import { type Channel, DEFAULT_TIMEOUTS } from '@mg/contract';
import { AttemptTally, ChannelHealth, ChannelLoad, KeyRotation, type Plan, RetryBudget } from '@mg/routing';
import { UpstreamFailure } from '@mg/transport';
import { describe, expect, it, vi } from 'vitest';
import type { GatewayContext } from './gateway-context.js';
import type { CallRecord } from './call-record.js';
import { classifyFailure } from './classify-failure.js';
import { type AnsweredOutcome, type TimedAttempt, tryChannels } from './try-channels.js';

const TOTAL_MS = 1_000;
const GATEWAY = {
  metrics: {
    countAttempt: vi.fn<() => void>(),
    genAi: { observeAttempt: vi.fn<() => void>() },
    retriesRefused: { inc: vi.fn<() => void>() },
  },
  health: new ChannelHealth(() => 0),
  keys: new KeyRotation(),
  load: new ChannelLoad(() => 0),
  retries: new RetryBudget(() => 0),
  attempts: new AttemptTally(),
} as unknown as GatewayContext;

function planOf(totals: Readonly<Record<string, number>>): Plan {
  const attempts = Object.entries(totals).map(([name, totalMs]) => ({
    channel: {
      id: name,
      name,
      apiKeys: [] as string[],
      timeouts: { ...DEFAULT_TIMEOUTS, totalMs },
    } as unknown as Channel,
    slug: 'm',
    upstreamModel: 'any',
    reason: 'next',
  }));
  return { attempts, cooldownUntilMs: undefined };
}

/** Every channel but the last takes so long and fails. */
async function tryAll(plan: Plan, failsAfterMs: number) {
  vi.useFakeTimers();
  try {
    const record = { attempts: [], skipped: 0 } as unknown as CallRecord;
    const asked: TimedAttempt[] = [];
    const running = tryChannels<AnsweredOutcome>(plan, record, GATEWAY, async (attempt) => {
      asked.push(attempt);
      if (asked.length === plan.attempts.length) return { kind: 'answer', prepared: { dropped: undefined } };
      vi.advanceTimersByTime(failsAfterMs);
      return { kind: 'fault', fault: classifyFailure(new UpstreamFailure('timeout', 'too late')) };
    });
    const outcome = await running.catch((error: unknown) => error);
    return { outcome, record, asked: asked.map(({ channel, timeouts }) => [channel.name, timeouts.totalMs]) };
  } finally {
    vi.useRealTimers();
  }
}

describe('clients 2: the time of a call', () => {
  it('is the whole of it for the first channel, and what is left for the next', async () => {
    const { asked, outcome } = await tryAll(planOf({ first: TOTAL_MS, second: TOTAL_MS }), 400);
    expect(asked).toEqual([
      ['first', TOTAL_MS],
      ['second', 600],
    ]);
    expect(outcome).toMatchObject({ kind: 'answer' });
  });

  it.each([TOTAL_MS, 0.95 * TOTAL_MS])('asks nobody else after %i ms of it', async (passedMs) => {
    const { asked, outcome, record } = await tryAll(planOf({ first: TOTAL_MS, second: TOTAL_MS }), passedMs);
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({ code: 'upstream_error' });
    expect(record.attempts).toMatchObject([
      { channel: 'first', outcome: 'failed' },
      { channel: 'second', reason: expect.stringMatching(/^not asked: .*timeout\.total/) as string },
    ]);
  });

  it('goes on to a channel that may take longer', async () => {
    const { asked } = await tryAll(planOf({ quick: TOTAL_MS, patient: 3 * TOTAL_MS }), TOTAL_MS);
    expect(asked).toEqual([
      ['quick', TOTAL_MS],
      ['patient', 2 * TOTAL_MS],
    ]);
  });
});
