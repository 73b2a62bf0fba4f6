import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideUp, formatUsd, parseUsd } from './money.js';

describe('USD amounts', () => {
  it.each([
    ['0', 0n],
    ['25.00', 25_000_000_000n],
    ['0.000000001', 1n],
    ['-1.5', -1_500_000_000n],
    ['999999999.999999999', 999_999_999_999_999_999n],
  ])('reads %s', (text, nano) => {
    expect(parseUsd(text)).toBe(nano);
  });

  it.each(['', '1.', '.5', '1e3', '0.0000000001', '1,5', ' 1', '+1', 'NaN', '1234567890'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseUsd(text)).toThrow(RangeError);
    },
  );

  it('writes what it reads, exactly and as short as can be', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), (nano) => {
        const text = formatUsd(nano);
        expect(parseUsd(text)).toBe(nano);
        expect(text).not.toMatch(/\.\d*0$|\.$/);
      }),
    );
  });

  it('divides upwards', () => {
    expect([divideUp(0n, 3n), divideUp(1n, 3n), divideUp(3n, 3n), divideUp(4n, 3n)]).toEqual([
      0n,
      1n,
      1n,
      2n,
    ]);
  });
});
