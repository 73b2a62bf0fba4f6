import { expect, it } from 'vitest';
import { LARGE_ANSWER_BYTES } from './answer-turns.js';
import { BodyBudget } from './body-budget.js';

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
