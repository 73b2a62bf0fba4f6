import {
  type Channel,
  DEFAULT_TIMEOUTS,
  readPhrases,
  ROUTING_STRATEGIES,
  type RoutingStrategy,
} from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { ChannelHealth } from './channel-health.js';
import { ChannelLoad } from './channel-load.js';
import { planAttempts } from './plan-attempts.js';

const SLUG = 'gpt';

function channel(id: string, weight = 1, priority = 0): Channel {
  return {
    id,
    name: id,
    type: 'openai-compatible',
    baseUrl: 'http://127.0.0.1',
    apiKeys: [],
    models: new Map([[SLUG, SLUG]]),
    settings: {},
    priority,
    weight,
    timeouts: DEFAULT_TIMEOUTS,
  };
}

function setUp(channels: readonly Channel[]) {
  let nowMs = 0;
  const health = new ChannelHealth(() => nowMs);
  const load = new ChannelLoad(() => nowMs);
  const costs = new Map<string, bigint>();
  const plan = (strategy: RoutingStrategy, affinity?: string) =>
    planAttempts({
      slug: SLUG,
      channels,
      health,
      random: Math.random,
      ordering: { strategy, slug: SLUG, load, answer: 'stream', costOf: ({ id }) => costs.get(id) },
      affinity,
    }).attempts;
  const ids = (strategy: RoutingStrategy) => plan(strategy).map((attempt) => attempt.channel.id);
  return { health, load, costs, plan, ids, wait: (ms: number) => (nowMs += ms) };
}

describe('routing: latency', () => {
  it('prefers the channel that lately began soonest, and says so', () => {
    const { load, plan } = setUp([channel('slow'), channel('quick')]);
    load.recordLatency('slow', SLUG, 'stream', 900);
    load.recordLatency('quick', SLUG, 'stream', 120);
    expect(plan('latency').map(({ channel: { id }, reason }) => [id, reason])).toEqual([
      ['quick', 'priority 0, by latency: 120 ms to the first event, place 1 of 2'],
      ['slow', 'priority 0, by latency: 900 ms to the first event, place 2 of 2, after 1 other'],
    ]);
  });

  it('follows a change, one slow answer is no change yet', () => {
    const { load, ids } = setUp([channel('a'), channel('b')]);
    load.recordLatency('a', SLUG, 'stream', 100);
    load.recordLatency('b', SLUG, 'stream', 300);
    load.recordLatency('a', SLUG, 'stream', 500);
    expect(ids('latency')[0]).toBe('a');
    for (let count = 0; count < 5; count++) load.recordLatency('a', SLUG, 'stream', 500);
    expect(ids('latency')[0]).toBe('b');
  });

  it('measures those that were never asked, and tries a slow one again in time', () => {
    const { load, ids, wait } = setUp([channel('known'), channel('new')]);
    load.recordLatency('known', SLUG, 'stream', 10);
    expect(ids('latency')[0]).toBe('new');
    load.recordLatency('new', SLUG, 'stream', 40);
    expect(ids('latency')[0]).toBe('known');
    wait(180_000);
    load.recordLatency('known', SLUG, 'stream', 10);
    expect(ids('latency')[0]).toBe('new');
  });

  it('keeps streams and whole answers, and models, apart', () => {
    const { load, ids } = setUp([channel('a'), channel('b')]);
    load.recordLatency('a', SLUG, 'stream', 100);
    load.recordLatency('b', SLUG, 'stream', 200);
    load.recordLatency('a', SLUG, 'whole', 9_000);
    load.recordLatency('a', 'other', 'stream', 9_000);
    expect(ids('latency')[0]).toBe('a');
  });
});

describe('routing: busy', () => {
  it('prefers the channel with the fewest calls in flight for its weight', () => {
    const { load, ids, plan } = setUp([channel('small'), channel('large', 4)]);
    load.begin('small');
    for (let count = 0; count < 3; count++) load.begin('large');
    expect(ids('busy')[0]).toBe('large');
    expect(plan('busy')[0]?.reason).toContain('by busy: 3 calls in flight');
    load.end('small');
    expect(ids('busy')[0]).toBe('small');
  });
});

describe('routing: cost', () => {
  it('prefers the cheapest; one without a known price comes last', () => {
    const { costs, ids, plan } = setUp([channel('unknown'), channel('dear'), channel('cheap')]);
    costs.set('dear', 12_000_000_000n);
    costs.set('cheap', 2_250_000_000n);
    expect(ids('cost')).toEqual(['cheap', 'dear', 'unknown']);
    expect(plan('cost')[0]?.reason).toContain('2.25 USD for a million tokens in and out');
  });
});

describe('every strategy', () => {
  it.each(['latency', 'busy', 'cost'] as const)('%s: priority comes first, no weight last', (strategy) => {
    const { ids, health } = setUp([channel('b', 1, 0), channel('never', 0, 0), channel('first', 1, 9)]);
    expect(ids(strategy)).toEqual(['first', 'b', 'never']);
    for (let count = 0; count < 5; count++)
      health.recordFailure({ channelId: 'first', slug: SLUG }, { kind: 'broken' });
    expect(ids(strategy)).toEqual(['b', 'never']);
  });

  it('leaves ties to weighted chance', () => {
    const { ids } = setUp([channel('a'), channel('b')]);
    const firsts = new Set(Array.from({ length: 200 }, () => ids('busy')[0]));
    expect([...firsts].sort()).toEqual(['a', 'b']);
  });
});

describe('the reasons of a plan', () => {
  it.each([...ROUTING_STRATEGIES])('%s: are phrases that pages say in every language', (strategy) => {
    const { load, costs, plan } = setUp([channel('a'), channel('b'), channel('c', 1, 9)]);
    const read = () =>
      [...plan(strategy), ...plan(strategy, 'conversation-1')].flatMap(({ reason }) => readPhrases(reason));
    const before = read();
    load.recordLatency('a', SLUG, 'stream', 900);
    costs.set('a', 12_000_000_000n);
    expect([...before, ...read()].filter(({ code }) => code === 'other')).toEqual([]);
  });
});

describe('sticky', () => {
  const channels = [channel('a'), channel('b'), channel('c')];

  it('asks the same channel for a conversation first, whatever the strategy', () => {
    const { plan, load } = setUp(channels);
    const own = plan('priority', 'conversation-1')[0]?.channel.id ?? '';
    for (let count = 0; count < 50; count++) load.begin(own);
    const attempts = plan('busy', 'conversation-1');
    expect(attempts[0]).toMatchObject({
      channel: { id: own },
      affinity: 'conversation-1',
      reason: 'priority 0, kept for this conversation among 3',
    });
    expect(new Set(attempts.map(({ channel: { id } }) => id)).size).toBe(3);
  });

  it('leaves a channel in a cooldown, and comes back to it', () => {
    const { plan, health, wait } = setUp(channels);
    const first = () => plan('priority', 'conversation-1')[0]?.channel.id ?? '';
    const own = first();
    health.recordFailure({ channelId: own, slug: SLUG }, { kind: 'limited', retryAfterMs: 5_000 });
    const other = first();
    expect(other).not.toBe(own);
    expect(first()).toBe(other);
    wait(5_001);
    expect(first()).toBe(own);
  });
});
