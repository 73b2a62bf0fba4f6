import { expect, it, vi } from 'vitest';
import { CapturedCall, MOST_BYTES } from './captured-call.js';

const text = (name: string, value: string) => ({ name, bytes: Buffer.from(value) });
const IMAGE = { name: 'image', filename: 'a.png', bytes: Buffer.alloc(2 * MOST_BYTES) };

it('keeps the fields of a form, and of its files the names', () => {
  const [request] = new CapturedCall([IMAGE, text('prompt', 'a fox')]).end();
  expect(request).toMatchObject({ truncated: false, bytes: 2 * MOST_BYTES + 5 });
  expect(JSON.parse(request?.text ?? '')).toEqual([
    { name: 'image', filename: 'a.png', bytes: 2 * MOST_BYTES },
    { name: 'prompt', value: 'a fox' },
  ]);
});

it('M5: writes no more of many fields than is kept', () => {
  const many = Array.from({ length: 30 }, (_, at) => text(`field-${at}`, '\u0001'.repeat(MOST_BYTES)));
  const stringify = vi.spyOn(JSON, 'stringify');
  const [request] = new CapturedCall([text('prompt', 'a fox'), ...many]).end();
  const lengths = stringify.mock.results.map(({ value }) => String(value).length);
  stringify.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(7 * MOST_BYTES);
  expect(request).toMatchObject({ truncated: true, text: expect.stringContaining('a fox') });
});
