import { watchSlowness } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { RedisScope } from '../access/redis-scope.js';
import { createTaskWaker } from './task-waker.js';

const AWAY = new RedisScope({
  redisUrl: 'redis://127.0.0.1:1',
  secret: 's',
  onRefused: () => undefined,
});

describe('the waker of workers', () => {
  it('keeps nobody waiting while Redis is away', async () => {
    const troubles: string[] = [];
    const waker = createTaskWaker(AWAY, (error) => troubles.push(error.message));
    const readSlowness = watchSlowness();
    const startedMs = performance.now();
    await waker.wake('0190c2a4-0000-7000-8000-000000000000');
    expect(await waker.cancel('0190c2a4-0000-7000-8000-000000000000')).toBe(false);
    await waker.close();
    expect(performance.now() - startedMs).toBeLessThan(3_000 * readSlowness());
    expect(troubles.length).toBeGreaterThan(0);
  });
});
