import { describe, expect, it } from 'vitest';
import { replaceVariables } from './replace-variables.js';

const variables = { NAME: 'value', EMPTY: '' };

describe('replaceVariables', () => {
  it.each([
    ['$NAME and ${NAME}', 'value and value'],
    ['postgres://me:${NAME:?set it}@host:5432/$$NAME', 'postgres://me:value@host:5432/$NAME'],
    ['${MISSING:-fallback, with a comma}', 'fallback, with a comma'],
    ['${EMPTY:-fallback}${EMPTY-fallback}', 'fallback'],
    ['${NAME:+there}${MISSING:+there}', 'there'],
    ['${MISSING}', ''],
  ])('makes of %s', (text, expected) => {
    expect(replaceVariables(text, variables)).toBe(expected);
  });

  it('fails with the message of the file', () => {
    expect(() => replaceVariables('${EMPTY:?set EMPTY to something}', variables)).toThrow(
      'EMPTY: set EMPTY to something',
    );
    expect(replaceVariables('${EMPTY?set it}', variables)).toBe('');
  });
});
