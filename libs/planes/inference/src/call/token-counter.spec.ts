import { readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { estimateTokens, TokenCounter } from './token-counter.js';

/** Counts of texts that once took minutes; generous, for a machine with other work. */
const PATIENT = { deadlineMs: 20_000, maxWaiting: 64 };
const SIZE = 80_000;

function* list(texts: readonly string[]) {
  yield;
  return texts;
}

describe('C1: counting tokens never holds the event loop', () => {
  const counter = new TokenCounter(PATIENT);
  afterAll(() => counter.close());

  it('counts as the tokenizer does, and special markers as plain text', async () => {
    expect(await counter.count('')).toBe(0);
    expect(await counter.count('The quick brown fox jumps over the lazy dog.')).toBe(10);
    expect(await counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it.each([
    ['one letter', 'a', 8],
    ['Chinese', '漢', 1],
    ['emoji', '😀', 2],
    ['spaces', ' ', 64],
    ['punctuation', '!', 16],
    ['marks', '\u0301', 1],
  ])('counts a run of %s within time that grows with its length', async (_, piece, charactersPerToken) => {
    const text = piece.repeat(SIZE / piece.length);
    const tokens = await counter.count(text);
    expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
    expect(tokens).toBeGreaterThanOrEqual(text.length / charactersPerToken / 2);
  });

  it('counts in another thread: the event loop turns on meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await Promise.all(Array.from({ length: 8 }, (_, n) => counter.count(`${n} `.repeat(40_000))));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it.runIf(process.platform === 'linux')(
    'T25: counts at a lower priority than the event loop has',
    async () => {
      await counter.warmUp();
      const threads = readdirSync('/proc/self/task').map(Number);
      expect(threads.map((thread) => getPriority(thread))).toContain(
        constants.priority.PRIORITY_BELOW_NORMAL,
      );
      expect(getPriority(process.pid)).toBeLessThan(constants.priority.PRIORITY_BELOW_NORMAL);
    },
  );

  it('counts a text in pieces as the whole text', async () => {
    for (const repeated of [1, 100, 90_000]) {
      const pieces = Array.from({ length: repeated }, (_, at) => [`${at} 漢`, { a: at }]).flat();
      const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece)));
      expect(await counter.countPieces(pieces)).toBe(await counter.count(whole.join('')));
    }
  });

  it('estimates what is longer than 256 KB by its bytes', async () => {
    const text = '漢'.repeat(100_000);
    expect(await counter.count(text)).toBe(100_000);
    expect(await counter.count('a'.repeat(20 * 1024 * 1024))).toBe(Math.ceil((20 * 1024 * 1024) / 3));
  });

  it('counts texts as if each had a line of its own, and joins no long ones', async () => {
    const words = ['The quick brown fox', 'jumps over', '', 'the lazy dog.'];
    expect(await counter.countAll(list(words))).toBe(await counter.count(words.join('\n')));
    expect(await counter.countAll(list([]))).toBe(0);
    const long = [...words, '漢'.repeat(400_000), 'a'.repeat(3 * 1024 * 1024)];
    const concatenate = vi.spyOn(Array.prototype, 'join');
    const counted = await counter.countAll(list(long));
    const joined = concatenate.mock.contexts;
    concatenate.mockRestore();
    expect(joined).not.toContain(long);
    expect(counted).toBe(Math.ceil(Buffer.byteLength(long.join('\n')) / 3));
  });
});

describe('C1: a count that cannot be had in time', () => {
  it('is an estimate after the deadline', async () => {
    const counter = new TokenCounter({ deadlineMs: 0, maxWaiting: 64 });
    const text = 'seven words that are not counted here';
    expect(await counter.count(text)).toBe(estimateTokens(text));
    await counter.close();
  });

  it('is an estimate at once when too many wait', async () => {
    const counter = new TokenCounter({ deadlineMs: 20_000, maxWaiting: 2 });
    const text = 'word '.repeat(10_000);
    const counts = await Promise.all(Array.from({ length: 4 }, () => counter.count(text)));
    expect(counts.filter((tokens) => tokens === estimateTokens(text))).toHaveLength(2);
    await counter.close();
  });

  it('is an estimate when the thread dies, and the next one is a count again', async () => {
    const counter = new TokenCounter(PATIENT);
    const text = 'word '.repeat(5_000);
    const interrupted = counter.count(text);
    await counter.close();
    expect(await interrupted).toBe(estimateTokens(text));
    expect(await counter.count(text)).toBeLessThan(estimateTokens(text));
    await counter.close();
  });

  it('lets whoever stops the process wait for what is still to be settled', async () => {
    const counter = new TokenCounter(PATIENT);
    const settled: number[] = [];
    const settle = async () => {
      settled.push(await counter.count('a prompt'));
      settled.push(await counter.count('an answer'));
    };
    void settle();
    await counter.whenIdle();
    expect(settled).toHaveLength(2);
    await counter.close();
  });
});
