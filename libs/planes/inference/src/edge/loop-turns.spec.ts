import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ReadingPace } from './loop-turns.js';

const LARGE_BYTES = 64 * 1024;
const SMALL_BYTES = 1024;

function workFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('reading large bodies', () => {
  it('waits for the next turn of the event loop once others have read for some milliseconds', async () => {
    const [first, second] = [new ReadingPace(), new ReadingPace()];
    expect(first.waitFor(LARGE_BYTES)).toBeUndefined();
    workFor(5);
    const wait = second.waitFor(LARGE_BYTES);
    expect(wait).toBeInstanceOf(Promise);
    await wait;
    await turn();
    expect(second.waitFor(LARGE_BYTES)).toBeUndefined();
  });

  it('never waits with a small piece', async () => {
    await turn();
    expect(new ReadingPace().waitFor(LARGE_BYTES)).toBeUndefined();
    workFor(5);
    expect(new ReadingPace().waitFor(SMALL_BYTES)).toBeUndefined();
  });

  it('M5: waits with small pieces of one body that add up to a large one', async () => {
    await turn();
    expect(new ReadingPace().waitFor(LARGE_BYTES)).toBeUndefined();
    workFor(5);
    const pace = new ReadingPace();
    const waits = Array.from({ length: LARGE_BYTES / SMALL_BYTES }, () => pace.waitFor(SMALL_BYTES));
    expect(waits.filter((wait) => wait !== undefined)).toHaveLength(4);
    for (const wait of waits) await wait;
  });
});
