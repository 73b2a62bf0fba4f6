import { beforeEach, expect, it } from 'vitest';
import { CallsMeter } from './calls-meter.js';

let changes: number;
beforeEach(() => {
  changes = 0;
});

/** A gateway's slice of a limit, of which it was granted so many calls. */
function openMeter(limit: number, given: number): CallsMeter {
  const meter = new CallsMeter('token:t:concurrency', 'token', limit, () => changes++);
  meter.request().grant({ used: given, given, resetMs: 0, waitMs: 0 }, 0, 0).end();
  return meter;
}

it('the end of a call is not reported for itself while the limit is ample', () => {
  const meter = openMeter(3_200, 101);
  for (let call = 0; call < 1_000; call++) {
    expect(meter.hasPrefetched()).toBe(true);
    meter.takePrefetched().end();
  }
  expect(changes).toBe(0);
});

it('a slice of which much is not used any more is reported before the next second', () => {
  const meter = openMeter(3_200, 400);
  expect(changes).toBe(1);
  expect(meter.listReports()).toEqual([{ meter, bucket: 0, amount: 100 }]);
});

it('the end of each call is reported where the limit is not ample', () => {
  openMeter(3, 3);
  expect(changes).toBe(1);
});
