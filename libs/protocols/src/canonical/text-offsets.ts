import { findCut } from '../find-cut.js';
import { countCodePoints, HIGH_SURROGATE } from './code-points.js';
import { runAtOnce, type Steps } from './steps.js';

/** Characters between two places whose offsets are kept: thousands of citations have each of their places looked for among so many. */
const PIECE_CHARACTERS = 256;

/** A place of a text, counted in the three ways that there are. */
interface Place {
  /** As the language counts: a code point may be two. */
  readonly characters: number;
  readonly points: number;
  /** Of UTF-8. */
  readonly bytes: number;
}

const START: Place = { characters: 0, points: 0, bytes: 0 };

/**
 * Offsets in a text that may still grow. A citation's place is found without reading the text from its beginning: there may be
 * thousands, in a text of megabytes.
 */
export class TextOffsets {
  #text: string;
  #end: Place | undefined;
  /** Places in order, the beginning first. */
  readonly #places: Place[] = [START];

  constructor(text = '') {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
    this.#end = undefined;
  }

  /** The end of the text so far. */
  get end(): Place {
    this.#end ??= this.placeOfPoint(Infinity);
    return this.#end;
  }

  /** The place before which so many code points stand; the end where there are fewer. */
  placeOfPoint(points: number): Place {
    const place = this.#findBefore('points', points);
    const piece = this.#readPiece(place);
    const wanted = Math.trunc(points) - place.points;
    const before = piece.slice(0, countCharacters(piece, wanted));
    // How many code points stand before it is known but at the end: thousands of places are looked for.
    return moveOn(place, before, before.length < piece.length ? Math.max(0, wanted) : undefined);
  }

  /** Code points that begin in the first bytes of the text. */
  pointsInBytes(bytes: number): number {
    const place = this.#findBefore('bytes', bytes);
    const piece = this.#readPiece(place);
    let { points, bytes: begun } = place;
    // Most texts have a byte for each.
    if (Buffer.byteLength(piece) === piece.length) {
      return points + Math.min(piece.length, Math.max(0, Math.ceil(bytes - begun)));
    }
    for (let at = 0; at < piece.length && begun < bytes; points++) {
      const character = piece.codePointAt(at) ?? 0;
      at += character > 0xffff ? 2 : 1;
      begun += countBytes(character);
    }
    return points;
  }

  #readPiece({ characters }: Place): string {
    return this.#text.slice(characters, findCut(this.#text, characters + PIECE_CHARACTERS));
  }

  /** The last place that is not too far. */
  #findBefore(unit: 'points' | 'bytes', most: number): Place {
    runAtOnce(this.noteInSteps());
    const places = this.#places;
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const place = places[middle];
      if (place && place[unit] <= most) low = middle;
      else high = middle - 1;
    }
    return places[low] ?? START;
  }

  /** Notes the places of what has come since the last time, in steps, which leaves little to do to whoever looks for one. */
  *noteInSteps(): Steps<void> {
    const places = this.#places;
    let last = places.at(-1) ?? START;
    while (this.#text.length - last.characters > PIECE_CHARACTERS) {
      last = moveOn(last, this.#readPiece(last));
      places.push(last);
      yield;
    }
  }
}

/** Characters of the first code points of a text. */
function countCharacters(text: string, points: number): number {
  // Most texts have a character for each.
  if (!HIGH_SURROGATE.test(text)) return Math.max(0, Math.min(points, text.length));
  let characters = 0;
  for (let left = points; left > 0 && characters < text.length; left--) {
    characters += (text.codePointAt(characters) ?? 0) > 0xffff ? 2 : 1;
  }
  return characters;
}

/** Of a character in UTF-8. */
function countBytes(character: number): number {
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character > 0xffff ? 4 : 3;
}

function moveOn(
  { characters, points, bytes }: Place,
  piece: string,
  pointsOfPiece = countCodePoints(piece),
): Place {
  return {
    characters: characters + piece.length,
    points: points + pointsOfPiece,
    bytes: bytes + Buffer.byteLength(piece),
  };
}
