import { expect, it } from 'vitest';
import { runAtOnce } from './steps.js';
import { listJsonTexts } from './text-of-json.js';

it('a small value is counted as its JSON', () => {
  const tools = [{ name: 'look_up', n: 1, parameters: { type: 'object' } }];
  expect(runAtOnce(listJsonTexts(tools))).toEqual([JSON.stringify(tools)]);
  expect(runAtOnce(listJsonTexts({}))).toEqual(['{}']);
});

it('M5: of a large one names and texts are counted, in order, and nothing is escaped or joined', () => {
  const long = '\n'.repeat(70_000);
  expect(runAtOnce(listJsonTexts([{ name: 'f', parameters: { description: long } }, 'end']))).toEqual([
    'name',
    'f',
    'parameters',
    'description',
    long,
    'end',
  ]);
});
