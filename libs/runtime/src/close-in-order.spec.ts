import { describe, expect, it } from 'vitest';
import { closeInOrder } from './close-in-order.js';
import type { Logger } from './logger.js';

function setUp() {
  const logged: unknown[] = [];
  const log = (facts: unknown) => logged.push(facts);
  const logger = { warn: log, error: log } as unknown as Logger;
  const closed: string[] = [];
  const step = (name: string, close: () => unknown = () => undefined, withinMs = 50) => ({
    name,
    withinMs,
    close: () => {
      closed.push(name);
      return close();
    },
  });
  return { logged, logger, closed, step };
}

describe('closing what a plane has open', () => {
  it('goes on after a step that throws, rejects or never ends, and reports each', async () => {
    const { logged, logger, closed, step } = setUp();
    const throwNow = () => {
      throw new Error('thrown');
    };
    await closeInOrder(
      [
        [step('throws', throwNow)],
        [step('rejects', () => Promise.reject(new Error('rejected')))],
        [step('hangs', () => new Promise(() => undefined))],
        [step('last')],
      ],
      logger,
    );
    expect(closed).toEqual(['throws', 'rejects', 'hangs', 'last']);
    expect(logged).toEqual([
      { part: 'throws', reason: 'thrown' },
      { part: 'rejects', reason: 'rejected' },
      { part: 'hangs', reason: 'not within 50 ms' },
    ]);
  });

  it('says what is lost with a required part', async () => {
    const { logged, logger, step } = setUp();
    const fail = () => Promise.reject(new Error('3 rows are not written'));
    expect(
      await closeInOrder([[step('cache', fail), { ...step('usage', fail), required: true }]], logger),
    ).toEqual(['usage: 3 rows are not written']);
    expect(logged).toHaveLength(2);
  });

  it('closes those of one group at once, and the next group after them', async () => {
    const { logger, closed, step } = setUp();
    const slow = () => new Promise((resolve) => setTimeout(resolve, 20));
    await closeInOrder([[step('a', slow), step('b')], [step('c')]], logger);
    expect(closed).toEqual(['a', 'b', 'c']);
  });
});
