import { describe, expect, it } from 'vitest';
import { FairShare } from './fair-share.js';

const LIMITS = { perSecond: 10, burst: 3, atOnce: 1, waiting: 1 };
const pauseNever = () => Promise.resolve();

describe('M8: what is free is shared', () => {
  it('by a rate, after a burst, for each key apart', async () => {
    let nowMs = 0;
    const share = new FairShare(LIMITS, () => nowMs, pauseNever);
    const refusal = expect.objectContaining({ code: 'rate_limited', retryAfter: 1 });
    for (let count = 0; count < 3; count++) await share.count('a');
    await expect(share.count('a')).rejects.toThrow(refusal);
    await share.count('b');
    nowMs = 100;
    await share.count('a');
    await expect(share.count('a')).rejects.toThrow('Too many requests');
    nowMs = 60_000;
    for (let count = 0; count < 3; count++) await share.count('a');
    await expect(share.count('a')).rejects.toThrow('Too many requests');
  });

  it('and a refusal takes a while, so that asking again at once brings nothing', async () => {
    const pause = Promise.withResolvers<void>();
    const share = new FairShare({ ...LIMITS, burst: 1 }, undefined, () => pause.promise);
    await share.count('a');
    let isRefused = false;
    const refused = share.count('a').catch(() => (isRefused = true));
    await share.count('b');
    expect(isRefused).toBe(false);
    pause.resolve();
    expect(await refused).toBe(true);
  });

  it('by how many are answered at once: some wait, more are refused, and another key is served meanwhile', async () => {
    const share = new FairShare({ ...LIMITS, burst: 100 });
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = share.run('a', async () => {
      await gate.promise;
      order.push('first');
    });
    const second = share.run('a', () => order.push('second'));
    await expect(share.run('a', () => order.push('third'))).rejects.toMatchObject({ code: 'rate_limited' });
    await share.run('b', () => order.push('other'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['other', 'first', 'second']);
  });

  it('hands a turn on also when the work fails', async () => {
    const share = new FairShare({ ...LIMITS, burst: 100 });
    await expect(share.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await share.run('a', () => 'served')).toBe('served');
  });
});
