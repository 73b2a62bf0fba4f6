import { expect, it, vi } from 'vitest';
import { DroppedFields } from './dropped-fields.js';

it('are named in order, each once, in the words of a header', () => {
  const dropped = new DroppedFields();
  for (const field of ['seed', 'top_k', 'seed', 'ä']) dropped.add(field);
  expect([dropped.toString(), dropped.has('top_k'), dropped.has('n')]).toEqual(['seed,top_k,?', true, false]);
});

it('T25: are named as far as a header has room, however many and however long they are', () => {
  const dropped = new DroppedFields();
  const long = 'x'.repeat(1024 * 1024);
  dropped.add(long);
  for (let at = 0; at < 10_000; at++) dropped.add(`${at}${'y'.repeat(200)}`);
  const replaced = vi.spyOn(String.prototype, 'replaceAll');
  expect(dropped.toString()).toBe('x'.repeat(1_024));
  expect(replaced.mock.contexts.map((text) => String(text).length)).toEqual([1_024]);
  replaced.mockRestore();
  expect(dropped.has(long)).toBe(true);
});
