import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeBytes, unescapeBytes } from './escapes.js';

const letter = fc.oneof(
  fc.constantFrom('"', '\\', '/', '\n', '\u0000', '\u001f', '\u007f', 'é', '漢', '😀', '\u2028', '\uffff'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const text = fc.array(letter, { maxLength: 30 }).map((letters) => letters.join(''));

describe('escapes of JSON, replaced in bytes', () => {
  it('of any text are those of JSON.stringify', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(escapeBytes(Buffer.from(any)).toString()).toBe(JSON.stringify(any).slice(1, -1));
        expect(unescape(escapeBytes(Buffer.from(any)))).toBe(any);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are read as JSON.parse reads them, or left to it', () => {
    const pieces = String.raw`\n \/ \" \\ \b \t \f \r \u0041 \u00E9 \u6f22 \u0000 \ud83d \uDE00 \ud83d\ude00 \uffff \u12 \q u n a 漢 😀`;
    const written = fc.array(fc.constantFrom(...pieces.split(' ')), { maxLength: 8 });
    fc.assert(
      fc.property(
        written.map((some) => some.join('')),
        (any) => {
          const expected = parse(any);
          expect(unescape(Buffer.from(any))).toBe(expected?.isWellFormed() ? expected : undefined);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

/** @returns `undefined` for what is left to JSON.parse. */
function unescape(bytes: Buffer): string | undefined {
  const text = Buffer.alloc(bytes.length);
  const length = unescapeBytes(bytes, text);
  return length < 0 ? undefined : text.toString('utf8', 0, length);
}

/** @returns `undefined` for what is no JSON. */
function parse(written: string): string | undefined {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}
