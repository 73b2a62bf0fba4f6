import { expect, it } from 'vitest';
import { toFlatString } from './to-flat-string.js';

const MEGABYTE = 1024 * 1024;

it('makes a short string at once', async () => {
  let pauses = 0;
  const pause = () => Promise.resolve(void pauses++);
  expect(await toFlatString(Buffer.from([0x61, 0xe9]), 'latin1', pause)).toBe('aé');
  expect(await toFlatString(Buffer.from('漢', 'utf16le'), 'utf16le', pause)).toBe('漢');
  expect(pauses).toBe(0);
});

it('M5: touches the memory of a long string in steps before it makes the string', async () => {
  let pauses = 0;
  const bytes = Buffer.alloc(8 * MEGABYTE, 'abc');
  const text = await toFlatString(bytes, 'latin1', () => Promise.resolve(void pauses++));
  expect(text === bytes.toString('latin1')).toBe(true);
  expect(pauses).toBe(8);
  expect(bytes).toHaveLength(8 * MEGABYTE);
});
