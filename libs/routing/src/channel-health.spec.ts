import { describe, expect, it } from 'vitest';
import { ChannelHealth, type HealthChange } from './channel-health.js';

const A = { channelId: 'a', slug: 'gpt' };

function setUp() {
  let nowMs = 1_000;
  const announced: HealthChange[] = [];
  const health = new ChannelHealth(
    () => nowMs,
    (change) => announced.push(change),
  );
  const eject = (part = A) => {
    for (let count = 0; count < 5; count++)
      health.recordFailure(part, { kind: 'broken', reason: 'status 500' });
  };
  return { health, announced, eject, wait: (ms: number) => (nowMs += ms) };
}

it('lists cooldowns until they end', () => {
  const { health, wait } = setUp();
  health.recordFailure(A, { kind: 'limited', retryAfterMs: 5_000, reason: 'status 429' });
  health.recordFailure({ channelId: 'two', slug: 'gpt' }, { kind: 'broken' });
  expect(health.listCooldowns()).toEqual([
    { ...A, cooldownMs: 5_000, consecutiveFailures: 1, kind: 'limited', reason: 'status 429' },
  ]);
  wait(5_001);
  expect(health.listCooldowns()).toEqual([]);
});

it('forgets what failed an hour ago', () => {
  const { health, eject, wait } = setUp();
  eject();
  wait(3_600_001);
  expect(health.listCooldowns()).toEqual([]);
  expect(health.isQuiet).toBe(true);
});

describe('a circuit that is half open', () => {
  it('lets one call through at a time, and closes when it succeeds', () => {
    const { health, eject, wait } = setUp();
    eject();
    expect(health.absence('a', 'gpt')).toMatchObject({ isLimited: false });
    wait(30_001);
    expect(health.absence('a', 'gpt')).toBeUndefined();
    expect(health.admit(A)).toBe('probe');
    expect(health.admit(A)).toBe('wait');
    expect(health.absence('a', 'gpt')).toBeDefined();
    health.recordSuccess(A);
    expect(health.isQuiet).toBe(true);
    expect(health.admit(A)).toBe('usual');
  });

  it('opens for longer when the probe fails', () => {
    const { health, eject, wait } = setUp();
    eject();
    wait(30_001);
    health.admit(A);
    health.recordFailure(A, { kind: 'broken' });
    wait(59_000);
    expect(health.absence('a', 'gpt')).toBeDefined();
    wait(1_001);
    expect(health.absence('a', 'gpt')).toBeUndefined();
  });

  it('lets another call through when the first said nothing of the upstream, or never ended', () => {
    const { health, eject, wait } = setUp();
    eject();
    wait(30_001);
    health.admit(A);
    health.recordInconclusive(A);
    expect(health.admit(A)).toBe('probe');
    wait(60_001);
    expect(health.admit(A)).toBe('probe');
  });
});

describe('keys', () => {
  const one = { ...A, key: 'sk-...1111' };
  const two = { ...A, key: 'sk-...2222' };
  const keys = [one.key, two.key];

  it.each(['credential', 'limited'] as const)(
    '%s: fail alone, and their channel with the last of them',
    (kind) => {
      const { health } = setUp();
      health.recordFailure(one, { kind, reason: 'status 401: revoked' });
      expect([health.isUsable(one), health.isUsable(two)]).toEqual([false, true]);
      expect(health.absence('a', 'gpt', keys)).toBeUndefined();
      expect(health.listCooldowns()).toMatchObject([{ key: one.key, reason: 'status 401: revoked' }]);
      health.recordFailure(two, { kind });
      expect(health.absence('a', 'gpt', keys)).toMatchObject({ isLimited: kind === 'limited' });
    },
  );

  it('are not blamed for what their channel does', () => {
    const { health, eject } = setUp();
    eject(one);
    expect(health.isUsable(one)).toBe(true);
    expect(health.absence('a', 'gpt', keys)).toBeDefined();
  });

  it('are left out for longer each time that they are refused', () => {
    const { health, wait } = setUp();
    health.recordFailure(one, { kind: 'credential' });
    wait(60_001);
    health.recordFailure(one, { kind: 'credential' });
    wait(60_001);
    expect(health.isUsable(one)).toBe(false);
  });
});

describe('other processes', () => {
  it('get the beginning and the end of a cooldown, and nothing else', () => {
    const { health, announced, eject, wait } = setUp();
    eject();
    health.recordFailure(A, { kind: 'limited', retryAfterMs: 100 });
    wait(30_001);
    health.recordSuccess(A);
    health.recordFailure(A, { kind: 'broken' });
    health.recordSuccess(A);
    expect(announced).toMatchObject([
      { ...A, cooldownMs: 30_000, ejections: 1, consecutiveFailures: 5, reason: 'status 500' },
      { ...A, cooldownMs: 0 },
    ]);
  });

  it('leave the channel out as well, and take it back with the first that reached it', () => {
    const here = setUp();
    const there = setUp();
    here.eject();
    for (const change of here.announced) there.health.apply(change);
    expect(there.health.absence('a', 'gpt')).toBeDefined();
    expect(there.announced).toEqual([]);
    here.wait(30_001);
    here.health.recordSuccess(A);
    there.health.apply(here.announced[1] as HealthChange);
    expect(there.health.isQuiet).toBe(true);
  });

  it('believe in no cooldown beyond the longest', () => {
    const { health, wait } = setUp();
    const change = {
      ...A,
      consecutiveFailures: 1,
      ejections: 1,
      kind: 'limited',
      reason: undefined,
    } as const;
    health.apply({ ...change, cooldownMs: 1e12 });
    wait(300_001);
    expect(health.absence('a', 'gpt')).toBeUndefined();
  });
});
