import { expect, it } from 'vitest';
import { isBlank, trimEndOf } from './blank-text.js';

const MEGABYTES = ' '.repeat(3_000_000);

it('M5: of blank space a bounded length is looked at', () => {
  expect(['', ' \n', MEGABYTES, ' a '].map(isBlank)).toEqual([true, true, false, false]);
  expect(['a \n', ' ', 'a', ''].map(trimEndOf)).toEqual(['a', '', 'a', '']);
  expect(trimEndOf(`${MEGABYTES}a\n`) === `${MEGABYTES}a`).toBe(true);
  expect(trimEndOf(MEGABYTES)).toHaveLength(MEGABYTES.length - 64 * 1024);
});
