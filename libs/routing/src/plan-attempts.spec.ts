import { type Channel, DEFAULT_TIMEOUTS } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { ChannelHealth } from './channel-health.js';
import { planAttempts } from './plan-attempts.js';

const SLUG = 'gpt';

function channel(id: string, priority: number, weight = 1): Channel {
  return {
    id,
    name: id,
    type: 'openai-compatible',
    baseUrl: 'http://127.0.0.1',
    apiKeys: [],
    models: new Map([[SLUG, `${SLUG}-at-${id}`]]),
    settings: {},
    priority,
    weight,
    timeouts: DEFAULT_TIMEOUTS,
  };
}

function setUp() {
  let nowMs = 0;
  const health = new ChannelHealth(() => nowMs);
  return { health, wait: (ms: number) => (nowMs += ms) };
}

function order(channels: Channel[], health: ChannelHealth, random = () => 0.5): string[] {
  return planAttempts({ slug: SLUG, channels, health, random }).attempts.map((attempt) => attempt.channel.id);
}

describe('planAttempts', () => {
  it('tries higher priorities first and never a channel twice', () => {
    const { health } = setUp();
    expect(order([channel('low', 0), channel('high', 9), channel('mid', 5)], health)).toEqual([
      'high',
      'mid',
      'low',
    ]);
  });

  it('shares equals by weight', () => {
    const { health } = setUp();
    const channels = [channel('a', 0, 3), channel('b', 0, 1), channel('never', 0, 0)];
    const firsts = Array.from({ length: 400 }, (_, index) => order(channels, health, () => index / 400)[0]);
    expect(firsts.filter((id) => id === 'a').length).toBe(300);
    expect(firsts.filter((id) => id === 'b').length).toBe(100);
  });

  it('maps the slug to the name that the upstream knows', () => {
    const { health } = setUp();
    const plan = planAttempts({ slug: SLUG, channels: [channel('a', 0)], health, random: () => 0 });
    expect(plan.attempts[0]?.upstreamModel).toBe('gpt-at-a');
  });

  it('leaves a channel out after five failures in a row, and takes it back in time', () => {
    const { health, wait } = setUp();
    const channels = [channel('a', 1), channel('b', 0)];
    for (let count = 0; count < 4; count++)
      health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'broken' });
    expect(order(channels, health)).toEqual(['a', 'b']);
    health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'broken' });
    expect(order(channels, health)).toEqual(['b']);
    wait(30_001);
    expect(order(channels, health)).toEqual(['a', 'b']);
  });

  it('forgets failures at the first success', () => {
    const { health } = setUp();
    for (let count = 0; count < 4; count++)
      health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'broken' });
    health.recordSuccess({ channelId: 'a', slug: SLUG });
    health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'broken' });
    expect(order([channel('a', 1), channel('b', 0)], health)).toEqual(['a', 'b']);
  });

  it('puts a limited channel into a cooldown for as long as the upstream asked', () => {
    const { health, wait } = setUp();
    health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'limited', retryAfterMs: 5_000 });
    expect(order([channel('a', 1), channel('b', 0)], health)).toEqual(['b']);
    wait(5_001);
    expect(order([channel('a', 1), channel('b', 0)], health)).toEqual(['a', 'b']);
  });

  it('reports when the first of several channels in a cooldown is back', () => {
    const { health } = setUp();
    health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'limited', retryAfterMs: 9_000 });
    health.recordFailure({ channelId: 'b', slug: SLUG }, { kind: 'limited', retryAfterMs: 4_000 });
    const plan = planAttempts({
      slug: SLUG,
      channels: [channel('a', 1), channel('b', 0)],
      health,
      random: () => 0,
    });
    expect(plan).toEqual({ attempts: [], cooldownUntilMs: 4_000 });
  });

  it('tries the last candidate: the one that is back first, of those whose upstream did not ask for a pause', () => {
    const { health, wait } = setUp();
    const channels = [channel('limited', 9), channel('late', 5), channel('soon', 1)];
    health.recordFailure({ channelId: 'late', slug: SLUG }, { kind: 'credential' });
    wait(60_001);
    for (const channelId of ['late', 'soon'])
      health.recordFailure({ channelId, slug: SLUG }, { kind: 'credential' });
    health.recordFailure({ channelId: 'limited', slug: SLUG }, { kind: 'limited', retryAfterMs: 1_000 });
    expect(order(channels, health)).toEqual(['soon']);
  });

  it('leaves a channel out while another call finds out whether it is back', () => {
    const { health, wait } = setUp();
    const channels = [channel('a', 1), channel('b', 0)];
    for (let count = 0; count < 5; count++)
      health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'broken' });
    wait(30_001);
    expect(order(channels, health)).toEqual(['a', 'b']);
    health.admit({ channelId: 'a', slug: SLUG });
    expect(order(channels, health)).toEqual(['b']);
  });

  it('always tries a lone channel', () => {
    const { health } = setUp();
    health.recordFailure({ channelId: 'a', slug: SLUG }, { kind: 'limited', retryAfterMs: 9_000 });
    expect(order([channel('a', 1)], health)).toEqual(['a']);
  });

  it('keeps what one model suffered away from the others', () => {
    const { health } = setUp();
    health.recordFailure({ channelId: 'a', slug: 'other-model' }, { kind: 'limited' });
    expect(order([channel('a', 1), channel('b', 0)], health)).toEqual(['a', 'b']);
  });

  it('puts who holds the response before first among equals, with the key that has it', () => {
    const { health } = setUp();
    const channels = [channel('a', 0, 9), channel('b', 0), channel('high', 1), channel('last', 0, 0)];
    const plan = (channelId: string) =>
      planAttempts({
        slug: SLUG,
        channels,
        health,
        random: () => 0,
        holder: { channelId, keyName: 'k' },
      }).attempts.map((attempt) => [attempt.channel.id, attempt.preferredKey]);
    expect(plan('b')).toEqual([
      ['high', undefined],
      ['b', 'k'],
      ['a', undefined],
    ]);
    expect(plan('last')).toEqual([
      ['high', undefined],
      ['a', undefined],
      ['b', undefined],
    ]);
    expect(plan('gone')).toHaveLength(3);
  });
});
