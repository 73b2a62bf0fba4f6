import { describe, expect, it } from 'vitest';
import { cutReply } from './cut-at-stop.js';
import type { CanonicalReply } from './reply.js';
import { StopFinder, StopStrings } from './stop-finder.js';

/** The first stop string that is whole, and the text before it, as a model finds it that looks at what it has written. */
function findSlowly(text: string, stops: readonly string[]): string {
  for (let end = 1; end <= text.length; end++) {
    const met = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    if (met.length > 0) return text.slice(0, end - Math.max(...met.map((stop) => stop.length)));
  }
  return text;
}

function find(pieces: readonly string[], stops: readonly string[]): string {
  const finder = new StopFinder(new StopStrings(stops));
  let before = '';
  for (const piece of pieces) {
    const found = finder.read(piece);
    if (found) return (before + piece.slice(0, found.end)).slice(0, -found.stop.length);
    before += piece;
  }
  return before;
}

/** All texts of so many of the letters a and b. */
function listTexts(length: number): readonly string[] {
  return Array.from({ length: 2 ** length }, (_, bits) =>
    bits.toString(2).padStart(length, '0').replaceAll('0', 'a').replaceAll('1', 'b'),
  );
}

describe('stop strings', () => {
  it.each([
    [['aab', 'ab']],
    [['abab', 'ba']],
    [['aaa', 'abb', 'bab']],
    [['bbbb', 'abba', 'aab', 'b']],
    [['abaab', 'baaba']],
  ])('%j are found in every text, wherever it is cut', (stops) => {
    const wrong = listTexts(9).flatMap((text) => {
      const expected = findSlowly(text, stops);
      const cuts = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
      return cuts.filter((pieces) => find(pieces, stops) !== expected);
    });
    expect(wrong).toEqual([]);
  });

  it('may begin with what a text ends with', () => {
    const finder = new StopFinder(new StopStrings(['STOP', 'TO-DO']));
    const pending = ['x', 'S', 'T', 'O', '-', 'x'].map((piece) => {
      finder.read(piece);
      return finder.pending;
    });
    expect(pending).toEqual([0, 1, 2, 3, 3, 0]);
  });

  it('are looked for in steps, however many and however alike they are', async () => {
    const stops = Array.from(
      { length: 64 },
      (_, at) => `${'\u{1F600}'.repeat(127)}${String.fromCharCode(0x4e00 + at)}`,
    );
    const text = '\u{1F600}'.repeat(1024 * 1024);
    const reply: CanonicalReply = {
      id: '1',
      model: 'm',
      created: 0,
      choices: [
        {
          blocks: [{ type: 'text', text: `${text}${stops[63]} and more` }],
          stop: 'stop',
          stopSequence: undefined,
          refusal: undefined,
          logprobs: undefined,
        },
      ],
      usage: undefined,
      ext: {},
    };
    let steps = 0;
    const cut = await cutReply(reply, stops, async () => void steps++);
    expect(cut.choices[0]?.blocks).toEqual([{ type: 'text', text }]);
    expect(cut.choices[0]?.stopSequence).toBe(stops[63]);
    expect(steps).toBe(32);
  });
});
