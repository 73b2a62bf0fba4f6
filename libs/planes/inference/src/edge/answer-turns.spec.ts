import { afterEach, expect, it, vi } from 'vitest';
import { AnswerTurns, LARGE_ANSWER_BYTES } from './answer-turns.js';
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

it('ends a turn by itself after ten seconds: a database that is frozen does not hold up the answers of others', async () => {
  vi.useFakeTimers();
  const turns = new AnswerTurns();
  const endFirst = await turns.take();
  const seen: string[] = [];
  void turns.take().then(() => seen.push('second'));
  void turns.take().then(() => seen.push('third'));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(seen).toEqual(['second']);
  // What ends late takes no turn of another one.
  endFirst();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(['second']);
});
