import { expect, it } from 'vitest';
import { formatBody } from './format-body.js';

it.each([
  ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['data: {"a":1}\n\n', 'data: {"a":1}\n\n'],
  ['{"cut of', '{"cut of'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(formatBody(text)).toBe(shown);
});
