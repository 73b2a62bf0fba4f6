import { describe, expect, it } from 'vitest';
import { CodePointCounter } from './code-points.js';
import { GrowingText } from './growing-text.js';

describe('GrowingText', () => {
  it.each([0, 1, 63, 64, 65, 1_000, 70_000])('gives %i pieces in their order', (count) => {
    const pieces = Array.from({ length: count }, (_, at) => `${at % 7}`);
    const text = new GrowingText();
    for (const piece of pieces) text.add(piece);
    expect(text.length).toBe(count);
    expect([...text.read()].join('')).toBe(pieces.join(''));
  });

  it('goes on after it was read', () => {
    const text = new GrowingText();
    text.add('a');
    expect(text.read()).toBe('a');
    text.add('b');
    expect(text.read()).toBe('ab');
  });

  it('does not join what is long', () => {
    const text = new GrowingText();
    for (let at = 0; at < 4_000; at++) text.add('ab'.repeat(50));
    const pieces = [...text.read()];
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(80_000);
  });
});

describe('CodePointCounter', () => {
  it.each([
    ['letters', ['ab', '', 'c'], 3],
    ['characters of two units', ['a😀', '😀'], 3],
    ['a character in two pieces', ['a\ud83d', '\ude00b'], 3],
    ['a character in two pieces with nothing between them', ['\ud83d', '', '\ude00'], 1],
    ['halves of characters', ['\ud83d', 'a', '\ude00', '\ude00'], 4],
  ])('counts %s as the whole text has them', (_, pieces, points) => {
    const counter = new CodePointCounter();
    for (const piece of pieces) counter.add(piece);
    expect(counter.points).toBe(points);
  });
});
