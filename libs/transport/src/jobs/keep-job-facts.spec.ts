import { expect, it } from 'vitest';
import { keepJobFacts } from './keep-job-facts.js';

it('an answer of thousands of names is looked at in steps', async () => {
  const names = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`name${at}`, at]));
  const answer = { id: 'a', parts: Array.from({ length: 8 }, () => ({ ...names })) };
  let pauses = 0;
  expect(await keepJobFacts(answer, async () => void pauses++)).toBe(answer);
  expect(pauses).toBe(3);
});
