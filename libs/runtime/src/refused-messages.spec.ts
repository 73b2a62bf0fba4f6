import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Registry } from './metrics.js';
import type { Logger } from './logger.js';
import { watchRefusedMessages } from './refused-messages.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('F12: refused messages are all counted, and logged once a minute', async () => {
  const registry = new Registry();
  const said: unknown[] = [];
  const logger = { warn: (facts: unknown) => said.push(facts) } as unknown as Logger;
  const refuse = watchRefusedMessages(registry, logger);
  for (let number = 0; number < 1_000; number++) refuse('forged');
  expect(said).toEqual([{ reason: 'forged', count: 1 }]);
  vi.advanceTimersByTime(60_000);
  refuse('expired');
  expect(said).toEqual([
    { reason: 'forged', count: 1 },
    { reason: 'expired', count: 1_000 },
  ]);
  expect(await registry.metrics()).toMatch(
    /redis_messages_refused_total\{reason="forged"\} 1000\n.*reason="expired"\} 1/,
  );
});
