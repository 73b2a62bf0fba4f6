import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { waitForReading } from './loop-turns.js';

const LARGE_BYTES = 64 * 1024;
const SMALL_BYTES = 1024;

function workFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('reading large bodies', () => {
  it('waits for the next turn of the event loop once others have read for some milliseconds', async () => {
    expect(waitForReading(LARGE_BYTES)).toBeUndefined();
    workFor(5);
    const wait = waitForReading(LARGE_BYTES);
    expect(wait).toBeInstanceOf(Promise);
    await wait;
    await turn();
    expect(waitForReading(LARGE_BYTES)).toBeUndefined();
  });

  it('never waits with a small piece', async () => {
    await turn();
    expect(waitForReading(LARGE_BYTES)).toBeUndefined();
    workFor(5);
    expect(waitForReading(SMALL_BYTES)).toBeUndefined();
  });
});
