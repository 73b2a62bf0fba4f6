import { describe, expect, it } from 'vitest';
import { countTextTokens, splitIntoPieces, writeText } from './tokens.js';

describe('writePassage', () => {
  it('has exactly the tokens it was asked for, however far one reads', () => {
    const pieces = writeText(80);
    for (let end = 1; end <= pieces.length; end += 1) {
      const text = pieces
        .slice(0, end)
        .map((piece) => piece.text)
        .join('');
      expect(countTextTokens(text)).toBe(end);
    }
  });
});

describe('splitIntoPieces', () => {
  it('never cuts a character and loses nothing', () => {
    const text = 'Grüße 🧡💙 你好 👩‍👩‍👧';
    const pieces = splitIntoPieces(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.some((piece) => piece.text.includes('\uFFFD'))).toBe(false);
    expect(pieces.reduce((sum, piece) => sum + piece.tokens, 0)).toBe(countTextTokens(text));
  });

  it('loses nothing of a text that is too long to be encoded', () => {
    const text = '🧡a\n'.repeat(20_000);
    expect(
      splitIntoPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
