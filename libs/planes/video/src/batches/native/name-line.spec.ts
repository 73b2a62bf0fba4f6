import { expect, it } from 'vitest';
import { nameLine, readLineName } from './name-line.js';

const REQUEST_ID = '019ab5c1-7f00-7000-8000-000000000001';

it('the name of a line leads back to it', () => {
  expect(readLineName(nameLine({ line: 50_000, requestId: REQUEST_ID }))).toEqual({
    line: 50_000,
    requestId: REQUEST_ID,
  });
});

it.each([
  undefined,
  7,
  {},
  '',
  'request-1',
  '1',
  REQUEST_ID,
  `1_${REQUEST_ID}_2`,
  `1.${REQUEST_ID}`,
  `-1_${REQUEST_ID}`,
  `01_${REQUEST_ID}`,
  `12345678_${REQUEST_ID}`,
])('whatever else a result is named is the name of no line: %s', (name) =>
  expect(readLineName(name)).toBeUndefined(),
);
