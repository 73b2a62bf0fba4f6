import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodePointCounter, countCodePoints } from './code-points.js';

describe('countCodePoints', () => {
  it('counts what a text is iterated by, halves of characters included, however long it is', () => {
    const run = fc
      .tuple(
        fc.constantFrom('a', '漢', '😀', '\ud83d', '\ude00', '\ude00\ud83d'),
        fc.constantFrom(1, 2, 4_095, 65_535, 65_536),
      )
      .map(([piece, times]) => piece.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), (runs) => {
        const text = runs.join('');
        expect(countCodePoints(text)).toBe([...text].length);
      }),
      { numRuns: 60 },
    );
  });

  it('counts a text that comes in pieces as if it were whole, wherever it is cut', () => {
    const text = 'a😀'.repeat(50_000);
    const counter = new CodePointCounter();
    for (let at = 0; at < text.length; at += 30_001) counter.add(text.slice(at, at + 30_001));
    expect(counter.points).toBe(100_000);
  });
});
