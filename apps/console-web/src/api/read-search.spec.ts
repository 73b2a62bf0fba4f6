import { expect, it } from 'vitest';
import { readSearch, writeSearch } from './read-search.js';

it('keeps the known fields that say something, as text', () => {
  const search = { state: 'running', model: '', token_id: undefined, status: 200, other: 'x' };
  expect(readSearch(search, ['state', 'model', 'token_id', 'status'])).toEqual({
    state: 'running',
    status: '200',
  });
});

it('writes fields as they are: a number that is a text has no quotes', () => {
  expect(writeSearch({ status: '429', model: 'org/a b', call: undefined })).toBe(
    '?status=429&model=org%2Fa+b',
  );
  expect(writeSearch({})).toBe('');
});
