import { findCut } from '../find-cut.js';
import { LIGHT, stringifyInSlices, weigh } from '../strict-json/stringify-in-slices.js';

/**
 * A text, piece after piece; an object stands for its JSON. Pieces are looked for as they are asked for, and each item of a list has
 * one, even if it is empty: whoever reads them can pause after any of them.
 */
export type TextPieces = Iterable<string | object>;

/** Characters of a long piece, or bytes of a long object's JSON, that are taken in a row. */
const SLICE_CHARACTERS = 64 * 1024;
/** What is taken in one step, in characters: it takes a millisecond or two. */
const STEP_CHARACTERS = 512 * 1024;
/** A piece takes as long as so many characters, however short it is. */
const CHARACTERS_PER_PIECE = 64;

/** A piece that stands for the JSON of a value; one that is neither an object nor a list is counted as the only item of a list. */
export function asPiece(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : [value];
}

/** The whole text, in one step. */
export function joinPieces(pieces: TextPieces): string {
  let text = '';
  for (const piece of pieces) text += typeof piece === 'string' ? piece : JSON.stringify(piece);
  return text;
}

/**
 * Reads a text in steps, none of which takes long.
 *
 * @param take is given the text in slices, which are short.
 * @param pause is waited for between two steps.
 */
export async function readPiecesInSlices(
  pieces: TextPieces,
  take: (slice: string) => void,
  pause: () => Promise<void>,
): Promise<void> {
  let characters = 0;
  for (const piece of pieces) {
    const isLight = typeof piece === 'string' || weigh(piece) < LIGHT;
    const written = isLight ? joinPieces([piece]) : await stringifyInSlices(piece, pause);
    let start = 0;
    do {
      const end = findEnd(written, start);
      take(typeof written === 'string' ? written.slice(start, end) : written.toString('utf8', start, end));
      characters += CHARACTERS_PER_PIECE + end - start;
      start = end;
      if (characters < STEP_CHARACTERS) continue;
      characters = 0;
      await pause();
    } while (start < written.length);
  }
}

/** Where a slice ends: not within a character. */
function findEnd(written: string | Buffer, start: number): number {
  let end = start + SLICE_CHARACTERS;
  if (typeof written === 'string') return findCut(written, end);
  if (end >= written.length) return written.length;
  while (isWithinCharacter(written[end])) end--;
  return end;
}

/** Whether a byte of UTF-8 is one of a character and not its first. */
function isWithinCharacter(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
