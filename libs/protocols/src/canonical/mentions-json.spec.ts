import { expect, it } from 'vitest';
import { mentionsJson } from './mentions-json.js';

it.each<[unknown, boolean]>([
  [[{ role: 'user', content: 'Answer in JSON.' }], true],
  [[{ role: 'user', content: [{ type: 'text', text: 'as json, please' }] }], true],
  [[{ role: 'user', content: 'Hello.' }], false],
  [
    [
      { role: 'user', content: 'a'.repeat(1_000_000) },
      { role: 'user', content: 'json' },
    ],
    false,
  ],
  [[], false],
])('a prompt mentions JSON or does not', (messages, expected) => {
  expect(mentionsJson(messages)).toBe(expected);
});
