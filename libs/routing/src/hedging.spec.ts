import { describe, expect, it } from 'vitest';
import { Hedging } from './hedging.js';

describe('hedging', () => {
  it('asks twice at most two calls of a hundred', () => {
    const hedging = new Hedging();
    let taken = 0;
    for (let call = 0; call < 10_000; call++) {
      hedging.noteCall();
      if (hedging.take()) taken++;
    }
    expect(taken).toBeGreaterThan(190);
    expect(taken).toBeLessThanOrEqual(200);
  });

  it('does not gather hedges for an outage', () => {
    const hedging = new Hedging();
    for (let call = 0; call < 100_000; call++) hedging.noteCall();
    let taken = 0;
    while (hedging.take()) taken++;
    expect(taken).toBe(10);
  });

  it('knows what is late by the answers of the channel, the newer ones above all', () => {
    const hedging = new Hedging();
    const record = (ms: number, times: number) => {
      for (let count = 0; count < times; count++) hedging.recordAnswer('c', 'm', ms);
    };
    record(100, 49);
    expect(hedging.delayMs('c', 'm')).toBeUndefined();
    record(100, 46);
    record(5_000, 4);
    expect(hedging.delayMs('c', 'm')).toBeLessThan(130);
    expect(hedging.delayMs('c', 'other')).toBeUndefined();
    record(1_000, 5_000);
    expect(hedging.delayMs('c', 'm')).toBeGreaterThan(900);
  });
});
