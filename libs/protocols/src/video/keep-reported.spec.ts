import { expect, it } from 'vitest';
import { keepReported } from './keep-reported.js';

it('what a provider usually reports is kept as it is', () => {
  const reported = { status: 'succeeded', content: { video_url: 'https://a/'.padEnd(4_000, 'b') }, seed: 7 };
  expect(keepReported(reported)).toBe(reported);
});

it('of what is long, the members are kept that there is room for', () => {
  const numbers = Array.from({ length: 1_000 }, (_, at) => at);
  const reported = { seed: 7, log: 'a'.repeat(60_000), numbers, usage: { tokens: 5 } };
  expect(keepReported(reported)).toEqual({ seed: 7, usage: { tokens: 5 } });
});

it('of thousands of members the first are kept', () => {
  const reported = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`name${at}`, at]));
  const names = Object.keys(keepReported(reported));
  expect(names).toEqual(Object.keys(reported).slice(0, names.length));
  expect(names.length).toBeGreaterThan(100);
  expect(names.length).toBeLessThan(500);
});
