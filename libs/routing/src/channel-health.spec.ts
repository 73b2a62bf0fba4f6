import { expect, it } from 'vitest';
import { ChannelHealth } from './channel-health.js';

it('lists cooldowns until they end', () => {
  let nowMs = 1_000;
  const health = new ChannelHealth(() => nowMs);
  health.recordFailure('one', 'gpt', 'limited', 5_000);
  health.recordFailure('two', 'gpt', 'broken');
  expect(health.listCooldowns()).toEqual([
    { channelId: 'one', slug: 'gpt', cooldownMs: 5_000, consecutiveFailures: 1 },
  ]);
  nowMs += 5_001;
  expect(health.listCooldowns()).toEqual([]);
});
