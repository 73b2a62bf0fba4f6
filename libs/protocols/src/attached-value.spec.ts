import { expect, it } from 'vitest';
import { AttachedValue } from './attached-value.js';

it('keeps a value with an object, unseen by whoever copies or writes it', () => {
  const first = new AttachedValue<object, string>();
  const second = new AttachedValue<object, string>();
  const owner = { a: 1 };
  first.set(owner, 'x');
  second.set(owner, 'y');
  first.set(owner, 'z');
  expect([first.get(owner), second.get(owner), first.get({})]).toEqual(['z', 'y', undefined]);
  expect(JSON.stringify(owner)).toBe('{"a":1}');
  expect(first.get({ ...owner })).toBeUndefined();
  expect(Object.keys(owner)).toEqual(['a']);
});
