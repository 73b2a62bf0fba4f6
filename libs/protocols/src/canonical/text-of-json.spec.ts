import { expect, it } from 'vitest';
import { textOfJson } from './text-of-json.js';

it('a small value is counted as its JSON', () => {
  const tools = [{ name: 'look_up', n: 1, parameters: { type: 'object' } }];
  expect(textOfJson(tools)).toBe(JSON.stringify(tools));
  expect(textOfJson({})).toBe('{}');
});

it('M5: of a large one names and texts are counted, in order, and nothing is escaped', () => {
  const long = '\n'.repeat(70_000);
  expect(textOfJson([{ name: 'f', parameters: { description: long } }, 'end'])).toBe(
    `name f parameters description ${long} end`,
  );
});
