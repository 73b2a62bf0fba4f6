import { afterEach, expect, it, vi } from 'vitest';
import { WorkTurns, LARGE_ANSWER_BYTES } from './work-turns.js';
import { BodyBudget } from './body-budget.js';

afterEach(() => void vi.useRealTimers());

it('reads large answers one at a time, in the order in which they came; small ones do not wait', async () => {
  const budget = new BodyBudget(1_000);
  const calls = Array.from({ length: 4 }, () => budget.open('key'));
  const turns: number[] = [];
  for (const [index, call] of calls.entries()) {
    void call.waitForAnswerTurn(LARGE_ANSWER_BYTES)?.then(() => turns.push(index));
  }
  await expect.poll(() => turns).toEqual([0]);
  expect(budget.open('key').waitForAnswerTurn(LARGE_ANSWER_BYTES - 1)).toBeUndefined();

  calls[0]?.endAnswerTurn();
  calls[0]?.release();
  await expect.poll(() => turns).toEqual([0, 1]);
  calls[1]?.release();
  await expect.poll(() => turns).toEqual([0, 1, 2]);
  calls[2]?.release();
  await expect.poll(() => turns).toEqual([0, 1, 2, 3]);
});

it('gives the turn of a call that has ended meanwhile to the next', async () => {
  const budget = new BodyBudget(1_000);
  const [first, left, last] = Array.from({ length: 3 }, () => budget.open('key'));
  for (const call of [first, left]) void call?.waitForAnswerTurn(LARGE_ANSWER_BYTES);
  let isTurn = false;
  void last?.waitForAnswerTurn(LARGE_ANSWER_BYTES)?.then(() => (isTurn = true));
  left?.release();
  first?.release();
  await expect.poll(() => isTurn).toBe(true);
});

it('holds nobody up for longer than ten seconds: what a frozen database keeps does not end', async () => {
  vi.useFakeTimers();
  const turns = new WorkTurns();
  const seen: string[] = [];
  const takeAs = (name: string) =>
    turns.take().then((end) => {
      seen.push(name);
      return end;
    });
  const endFirst = await takeAs('first');
  const others = ['second', 'third'].map(takeAs);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(seen).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(seen).toEqual(['first', 'second', 'third']);

  // From there on it is one at a time again; what ends late takes no turn of another one.
  endFirst();
  void takeAs('fourth');
  const [endSecond, endThird] = await Promise.all(others);
  endSecond?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).not.toContain('fourth');
  endThird?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toContain('fourth');
});
