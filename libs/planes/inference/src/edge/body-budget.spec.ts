import { expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';

const refusalOf = (take: () => void) => {
  try {
    take();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'taken';
};

it('bodies of one key take half of the memory at most, and leave the rest to others', () => {
  const budget = new BodyBudget(100);
  const greedy = budget.open('greedy');
  greedy.take(50);
  expect(refusalOf(() => budget.open('greedy').take(1))).toBe('rate_limited');
  const other = budget.open('other');
  expect(refusalOf(() => other.take(50))).toBe('taken');
  expect(refusalOf(() => budget.open('third').take(1))).toBe('service_unavailable');
  expect(budget.heldBytes).toBe(100);
  greedy.release();
  greedy.release();
  expect(refusalOf(() => budget.open('third').take(50))).toBe('taken');
  other.giveBack(20);
  expect(refusalOf(() => budget.open('greedy').take(20))).toBe('taken');
});
