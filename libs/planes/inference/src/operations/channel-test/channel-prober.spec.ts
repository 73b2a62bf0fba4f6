import type { Catalog, Channel, ProbeOutcome } from '@mg/contract';
import { AttemptTally, ChannelHealth, KeyRotation } from '@mg/routing';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeChannel } from '../../testing/small-gateway.js';
import { ChannelProber } from './channel-prober.js';

const GOOD: ProbeOutcome = { ok: true, latency_ms: 20, status: 200, message: 'pong' };
const PART = { slug: 'm', channelId: '' };

let nowMs: number;
let health: ChannelHealth;
let attempts: AttemptTally;
let outcome: ProbeOutcome;
let tested: string[];
/** What happens while a channel is asked. */
let meanwhile: () => void;
/** When channels were asked last, of two gateways together. */
let asked: Map<string, number>;

beforeEach(() => {
  nowMs = 1_000_000;
  health = new ChannelHealth(() => nowMs);
  attempts = new AttemptTally();
  outcome = GOOD;
  tested = [];
  meanwhile = () => undefined;
  asked = new Map();
});

function watch(channels: readonly Channel[], kind = 'chat'): ChannelProber {
  const models = new Map([['m', { slug: 'm', kind }]]) as unknown as Catalog['models'];
  return new ChannelProber({
    catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', channels]]) }),
    health,
    keys: new KeyRotation(),
    attempts,
    claims: {
      noteAsked: async (ids) => ids.forEach((id) => asked.set(id, nowMs)),
      claim: async (id, everyMs) => {
        if (nowMs - (asked.get(id) ?? 0) < everyMs) return false;
        asked.set(id, nowMs);
        return true;
      },
    },
    test: async (channel, upstreamModel, apiKey) => {
      tested.push([channel.name, upstreamModel, apiKey].join(' ').trim());
      meanwhile();
      return outcome;
    },
  });
}

const channel = (facts: Partial<Channel> = {}) =>
  makeChannel('c', { probeMs: 60_000, models: new Map([['m', 'up']]), ...facts });

describe('probes', () => {
  it('are off unless a channel asks for them, and are for chats alone', async () => {
    await watch([channel({ probeMs: undefined })]).look();
    await watch([channel()], 'image').look();
    expect(tested).toEqual([]);
  });

  it('ask an idle channel once in its time, whatever number of gateways looks', async () => {
    const channels = [channel()];
    const gateways = [watch(channels), watch(channels)];
    for (let minute = 0; minute < 3; minute++) {
      for (const gateway of gateways) await gateway.look();
      nowMs += 60_000;
    }
    expect(tested).toEqual(['c up', 'c up', 'c up']);
    expect(attempts.take()).toMatchObject([{ model: 'm', served: 3, failed: 0 }]);
  });

  it('leave a channel alone that calls go to', async () => {
    const one = channel();
    const prober = watch([one]);
    attempts.noteServed({ channelId: one.id, model: 'm', key: '' }, 'whole', 10);
    await prober.look();
    expect(tested).toEqual([]);
  });

  it('do not ask while the channel is left out, and are the first to ask when that is over', async () => {
    const one = channel();
    const part = { ...PART, channelId: one.id };
    for (let time = 0; time < 5; time++) health.recordFailure(part, { kind: 'broken' });
    const prober = watch([one]);
    await prober.look();
    expect(tested).toEqual([]);
    nowMs += 31_000;
    await prober.look();
    expect(tested).toEqual(['c up']);
    expect(health.isQuiet).toBe(true);
  });

  it('that end well end no pause that began meanwhile', async () => {
    const one = channel();
    meanwhile = () => {
      nowMs += 10;
      health.recordFailure({ ...PART, channelId: one.id }, { kind: 'limited', retryAfterMs: 30_000 });
      nowMs += 10;
    };
    await watch([one]).look();
    expect(tested).toEqual(['c up']);
    expect(health.listCooldowns()).toMatchObject([{ kind: 'limited', cooldownMs: 29_990 }]);
  });

  it('ask with the key that was refused', async () => {
    const one = channel({ apiKeys: ['sk-first-key-of-the-channel', 'sk-second-key-of-the-channel'] });
    const [, second = ''] = new KeyRotation().namesOf(one);
    health.recordFailure({ ...PART, channelId: one.id, key: second }, { kind: 'credential' });
    nowMs += 61_000;
    await watch([one]).look();
    expect(tested).toEqual(['c up sk-second-key-of-the-channel']);
  });

  it.each([
    [503, 'broken', 1],
    [404, 'broken', 1],
    [410, 'broken', 1],
    [401, 'credential', 1],
    [429, 'limited', 1],
    [400, undefined, 0],
  ] as const)('that fail with %s count as failures of kind %s', async (status, kind, failed) => {
    const one = channel({ apiKeys: ['sk-only-key-of-the-channel'] });
    outcome = { ...GOOD, ok: false, status, message: 'no' };
    const prober = watch([one]);
    await prober.look();
    expect(attempts.take()[0]?.failed ?? 0).toBe(failed);
    expect(health.listCooldowns()[0]?.kind).toBe(kind === 'broken' ? undefined : kind);
  });
});
