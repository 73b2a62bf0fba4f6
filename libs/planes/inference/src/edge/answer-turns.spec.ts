import { expect, it } from 'vitest';
import { LARGE_ANSWER_BYTES } from './answer-turns.js';
import { BodyBudget } from './body-budget.js';

it('reads two large answers at a time, in the order in which they came; small ones do not wait', async () => {
  const budget = new BodyBudget(1_000);
  const calls = Array.from({ length: 4 }, () => budget.open('key'));
  const turns: number[] = [];
  for (const [index, call] of calls.entries()) {
    void call.waitForAnswerTurn(LARGE_ANSWER_BYTES)?.then(() => turns.push(index));
  }
  await expect.poll(() => turns).toEqual([0, 1]);
  expect(budget.open('key').waitForAnswerTurn(LARGE_ANSWER_BYTES - 1)).toBeUndefined();

  calls[1]?.endAnswerTurn();
  calls[1]?.release();
  await expect.poll(() => turns).toEqual([0, 1, 2]);
  calls[0]?.release();
  await expect.poll(() => turns).toEqual([0, 1, 2, 3]);
});

it('gives the turn of a call that has ended meanwhile to the next', async () => {
  const budget = new BodyBudget(1_000);
  const [first, second, left, last] = Array.from({ length: 4 }, () => budget.open('key'));
  for (const call of [first, second, left]) void call?.waitForAnswerTurn(LARGE_ANSWER_BYTES);
  let isTurn = false;
  void last?.waitForAnswerTurn(LARGE_ANSWER_BYTES)?.then(() => (isTurn = true));
  left?.release();
  first?.release();
  await expect.poll(() => isTurn).toBe(true);
});
