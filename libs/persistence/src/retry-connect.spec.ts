import { expect, it, vi } from 'vitest';
import { retryConnect } from './retry-connect.js';

const TIMEOUTS = [
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
];

it.each(TIMEOUTS)('a step of a start is done again after a connection timed out: %s', async (message) => {
  const reasons: string[] = [];
  const step = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error(message))
    .mockResolvedValue('open');
  expect(await retryConnect(step, (reason) => void reasons.push(reason))).toBe('open');
  expect(reasons).toEqual(['Postgres does not take connections in time.']);
});

it('a step that fails for another reason fails at once', async () => {
  const step = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('password authentication failed'));
  await expect(retryConnect(step)).rejects.toThrow('password authentication failed');
  expect(step).toHaveBeenCalledTimes(1);
});
