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

describe('a cooldown', () => {
  const key = { ...A, key: 'sk-...1111' };

  it('is not ended by what began before it, only by what began after', () => {
    const { health, announced, eject, wait } = setUp();
    const beforeMs = health.nowMs;
    wait(1_000);
    eject();
    health.recordFailure(key, { kind: 'limited', retryAfterMs: 60_000 });
    wait(1);
    health.recordSuccess(key, beforeMs);
    expect(health.listCooldowns()).toHaveLength(2);
    wait(60_000);
    health.recordSuccess(key, beforeMs);
    expect(health.admit(key)).toBe('probe');
    expect(announced).toHaveLength(2);
    health.recordSuccess(key, health.nowMs);
    expect(health.isQuiet).toBe(true);
    expect(announced).toHaveLength(4);
  });

  it('of another process is not ended by what began before it, either', () => {
    const here = setUp();
    const there = setUp();
    here.eject();
    const startedMs = there.health.nowMs;
    there.wait(1);
    for (const change of here.announced) there.health.apply(change);
    there.health.recordSuccess(A, startedMs);
    expect(there.health.absence('a', 'gpt')).toBeDefined();
  });

  it('is made no longer, now or the next time, by what else breaks meanwhile', () => {
    const { health, announced, eject, wait } = setUp();
    eject();
    for (let stream = 0; stream < 20; stream++) eject();
    expect(health.listCooldowns()).toMatchObject([{ cooldownMs: 30_000 }]);
    expect(announced).toHaveLength(1);
    wait(30_001);
    health.recordFailure(A, { kind: 'broken' });
    expect(health.listCooldowns()).toMatchObject([{ cooldownMs: 60_000 }]);
  });

  it('is made longer by an upstream that asks for it', () => {
    const { health, wait } = setUp();
    health.recordFailure(key, { kind: 'limited', retryAfterMs: 5_000 });
    wait(1_000);
    health.recordFailure(key, { kind: 'limited' });
    expect(health.listCooldowns()).toMatchObject([{ cooldownMs: 4_000 }]);
    health.recordFailure(key, { kind: 'limited', retryAfterMs: 60_000 });
    expect(health.listCooldowns()).toMatchObject([{ cooldownMs: 60_000 }]);
  });
});

it('counts failures in a row from the last success, whenever that began', () => {
  const { health, wait } = setUp();
  for (let round = 0; round < 5; round++) {
    const startedMs = health.nowMs;
    wait(1);
    health.recordFailure(A, { kind: 'broken' });
    health.recordSuccess(A, startedMs);
  }
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
