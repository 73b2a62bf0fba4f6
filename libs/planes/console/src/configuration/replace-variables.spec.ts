import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { markVariables, replaceMarks } from './replace-variables.js';

const variables = {
  KEY: 'sk-a: b # c "d" {e}',
  NUMBER: '5',
  EMPTY: '',
  NESTED: '${KEY}',
  LONG_NAME_2: 'long',
};

function read(text: string): unknown {
  return replaceMarks(parse(markVariables(text)), variables);
}

describe('replacing ${NAME}', () => {
  it.each<[string, string, unknown]>([
    ['whatever the value holds', 'a: ${KEY}', { a: variables.KEY }],
    ['in quotes', `a: "\${NUMBER}"\nb: '\${NUMBER}'`, { a: '5', b: '5' }],
    ['in the middle', 'a: x-${NUMBER}-${LONG_NAME_2}', { a: 'x-5-long' }],
    [
      'within brackets',
      'a: [${NUMBER}, "${LONG_NAME_2}"]\nb: {c: ${NUMBER}}',
      { a: ['5', 'long'], b: { c: '5' } },
    ],
    ['in a key', '${LONG_NAME_2}: 1', { long: 1 }],
    ['in a block of text', 'a: |\n  one ${NUMBER}\n  two', { a: 'one 5\ntwo\n' }],
    ['once, not again within the value', 'a: ${NESTED}', { a: '${KEY}' }],
    ['not when escaped', 'a: $${KEY} and $${ alone', { a: '${KEY} and ${ alone' }],
    ['not in comments', 'a: 1 # ${MISSING}\n# ${ALSO MISSING}', { a: 1 }],
    ['not without braces', 'a: $KEY', { a: '$KEY' }],
    ['leaving other values alone', 'a: 1\nb: true\nc: null\nd: 1.5', { a: 1, b: true, c: null, d: 1.5 }],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    [
      'a missing variable',
      'channels:\n  - api_key: ${MISSING}',
      'channels[0].api_key: the environment variable MISSING is not set.',
    ],
    ['an empty one', 'a: {b: "${EMPTY}"}', 'a.b: the environment variable EMPTY is not set.'],
    [
      'a default, which is not supported',
      'a: ${KEY:-x}',
      'a: ${KEY:-x} is not a variable: write ${NAME}, or $${ for a plain ${.',
    ],
    ['no name', 'a: ${}', 'a: ${} is not a variable: write ${NAME}, or $${ for a plain ${.'],
  ])('names %s', (_name, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
