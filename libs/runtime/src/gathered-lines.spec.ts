import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GatheredLines } from './gathered-lines.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const written: string[] = [];
  const flushed = vi.fn<() => void>();
  const destination = {
    write: (text: string) => written.push(text),
    flush: (done?: () => void) => done?.(),
    flushSync: flushed,
  };
  const lines = new GatheredLines(destination, { enoughBytes: 10, mostBytes: 16, passWithinMs: 200 });
  return { lines, written, flushed };
}

describe('lines of a log', () => {
  it('are written together, in order, once there are enough', () => {
    const { lines, written } = setUp();
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) lines.write(line);
    expect(written).toEqual(['one\ntwo\nthree\n']);
  });

  it('are no longer together than one write may be, counted in bytes', () => {
    const { lines, written } = setUp();
    lines.write('123456789');
    lines.write('ääää');
    expect(written).toEqual(['123456789']);
    lines.write('a line of its own length\n');
    expect(written).toEqual(['123456789', 'ääää', 'a line of its own length\n']);
  });

  it('are written after a moment, however few', () => {
    const { lines, written } = setUp();
    lines.write('one\n');
    vi.advanceTimersByTime(200);
    expect(written).toEqual(['one\n']);
    lines.write('two\n');
    vi.advanceTimersByTime(200);
    expect(written).toEqual(['one\n', 'two\n']);
  });

  it('wake nobody while there are none', () => {
    const { lines } = setUp();
    expect(vi.getTimerCount()).toBe(0);
    lines.write('one\n');
    lines.flush();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are written before whoever flushes hears of it, and before the process ends', () => {
    const { lines, written, flushed } = setUp();
    lines.write('one\n');
    lines.flush(() => expect(written).toEqual(['one\n']));
    lines.write('two\n');
    lines.flushSync();
    expect(written).toEqual(['one\n', 'two\n']);
    expect(flushed).toHaveBeenCalledOnce();
  });
});
