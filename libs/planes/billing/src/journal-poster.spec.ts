import type { JournalLedger, PostedBatch } from '@mg/persistence/billing';
import type { Logger } from '@mg/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BillingMetrics } from './billing-metrics.js';
import { JournalPoster } from './journal-poster.js';

const metrics = { observeBatch: () => undefined, waste: { count: () => undefined } };

describe('JournalPoster', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('posts rows in a moment, gathers for longer while many come, and waits for nothing when they are needed', async () => {
    let taken = 30;
    const postWaiting = vi.fn<() => Promise<PostedBatch>>(async () => ({
      taken,
      lagSeconds: 0,
      rows: [],
      waste: [],
    }));
    const poster = new JournalPoster(
      { postWaiting } as unknown as JournalLedger,
      metrics as unknown as BillingMetrics,
      {} as Logger,
    );
    poster.wake();
    await vi.advanceTimersByTimeAsync(20);
    expect(postWaiting).toHaveBeenCalledTimes(1);
    poster.wake();
    await vi.advanceTimersByTimeAsync(200);
    expect(postWaiting).toHaveBeenCalledTimes(1);
    await poster.postNow();
    expect(postWaiting).toHaveBeenCalledTimes(2);
    taken = 1;
    await vi.advanceTimersByTimeAsync(50);
    expect(postWaiting).toHaveBeenCalledTimes(3);
    poster.wake();
    await vi.advanceTimersByTimeAsync(20);
    expect(postWaiting).toHaveBeenCalledTimes(4);
  });
});
