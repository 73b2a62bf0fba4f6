import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChannelQueue, WAIT_FOR_CHANNEL_MS } from './channel-queue.js';

let turns: ChannelQueue;
let free: number;
let served: string[];
/** Ends a call of a key. */
let ends: Map<string, (() => void)[]>;

beforeEach(() => {
  vi.useFakeTimers();
  turns = new ChannelQueue((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  [free, served, ends] = [0, [], new Map()];
});
afterEach(() => vi.useRealTimers());

function wait(keyId: string, name = keyId, isLeft = () => false): Promise<string | undefined> {
  const take = async () => {
    if (free === 0) return undefined;
    free--;
    served.push(name);
    ends.set(keyId, [...(ends.get(keyId) ?? []), turns.begin('m', keyId)]);
    return name;
  };
  return turns.run('m', keyId, take, isLeft);
}

async function release(places: number): Promise<void> {
  free += places;
  await vi.advanceTimersByTimeAsync(1_000);
}

describe('calls that wait for a channel', () => {
  it('come to their turn in order of arrival', async () => {
    const waiting = ['first', 'second', 'third'].map((name) => wait('key', name));
    await release(2);
    expect(served).toEqual(['first', 'second']);
    await release(1);
    expect(await Promise.all(waiting)).toEqual(['first', 'second', 'third']);
    expect(turns.hasWaiting('m')).toBe(false);
  });

  it('of a key that has the channels to itself give way to those of another', async () => {
    const end = turns.begin('m', 'greedy');
    void wait('greedy', 'greedy 1');
    void wait('greedy', 'greedy 2');
    void wait('modest', 'modest 1');
    await release(1);
    expect(served).toEqual(['modest 1']);
    await release(1);
    end();
    expect(served).toEqual(['modest 1', 'greedy 1']);
    ends.get('greedy')?.forEach((done) => done());
    await release(1);
    expect(served).toEqual(['modest 1', 'greedy 1', 'greedy 2']);
  });

  it('wait for a bounded time, and not at all for nobody', async () => {
    let isLeft = false;
    const late = wait('one');
    const left = wait('two', 'two', () => isLeft);
    isLeft = true;
    await vi.advanceTimersByTimeAsync(WAIT_FOR_CHANNEL_MS + 1_000);
    expect(await Promise.all([late, left])).toEqual([undefined, undefined]);
    await release(5);
    expect(served).toEqual([]);
  });

  it('are so many of one key at most, and of others beside them', async () => {
    for (let index = 0; index < 64; index++) void wait('greedy');
    expect(await wait('greedy')).toBeUndefined();
    const other = wait('modest');
    await release(100);
    expect(await other).toBe('modest');
  });
});
