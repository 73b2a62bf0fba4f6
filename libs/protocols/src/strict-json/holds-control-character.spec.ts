import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsControlCharacter } from './holds-control-character.js';

it('control characters are found wherever they stand, and nothing else is taken for one', () => {
  const byte = fc.oneof(
    fc.nat(0xff),
    fc.constantFrom(0x00, 0x1f, 0x20, 0x7f, 0x80, 0xff),
    fc.integer({ min: 0x20, max: 0xff }),
  );
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), fc.nat(8), (bytes, from) => {
      const part = Buffer.from(bytes).subarray(from);
      expect(holdsControlCharacter(part)).toBe([...part].some((one) => one < 0x20));
    }),
    { numRuns: 2_000 },
  );
  for (let at = 0; at < 16; at += 1) {
    const bytes = Buffer.alloc(16, '漢');
    expect(holdsControlCharacter(bytes)).toBe(false);
    bytes[at] = 0x1f;
    expect(holdsControlCharacter(bytes)).toBe(true);
  }
});
