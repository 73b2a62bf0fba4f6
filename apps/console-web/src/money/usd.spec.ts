import { describe, expect, it } from 'vitest';
import { countDecimals, formatUsd, parseUsd, showUsd, sumUsd } from './usd.js';

describe('money', () => {
  it('is summed to the nano-dollar', () => {
    expect(sumUsd(['0.1', '0.2', '-0.000000001'])).toBe('0.299999999');
    expect(sumUsd([])).toBe('0');
  });

  it.each(['0', '12', '-0.5', '1000000.000000001'])('%s is read and written alike', (text) => {
    expect(formatUsd(parseUsd(text))).toBe(text);
  });

  it.each([
    ['10.00', '$10.00'],
    ['1234567.5', '$1,234,567.50'],
    ['0.125', '$0.125'],
    ['0.0106215', '$0.0106215'],
    ['1234.0106215', '$1,234.0106215'],
    ['0.000012345', '$0.000012345'],
    ['0.00', '$0.00'],
    ['-3.999', '−$3.999'],
  ])('%s is shown as %s: no part of it is hidden', (text, shown) => {
    expect(showUsd(text)).toBe(shown);
  });

  it.each([
    ['5', '+$5.00'],
    ['-5', '−$5.00'],
    ['0.00', '$0.00'],
  ])('%s that was moved is shown as %s', (text, shown) => {
    expect(showUsd(text, { isSigned: true })).toBe(shown);
  });
});

it.each([
  ['1', 2],
  ['-1.5', 2],
  ['0.125', 3],
  ['0.000000001', 9],
])('countDecimals(%s)', (text, decimals) => {
  expect(countDecimals(text)).toBe(decimals);
});
