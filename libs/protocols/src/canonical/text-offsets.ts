import { runAtOnce, type Steps } from './steps.js';

/** Characters between two places whose offsets are kept: thousands of citations have each of their places looked for among so many. */
const PIECE_CHARACTERS = 64;

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
    return moveOn(this.#text, this.#findBefore('points', points), Infinity, Math.trunc(points));
  }

  /** Code points that begin in the first bytes of the text. */
  pointsInBytes(bytes: number): number {
    return moveOn(this.#text, this.#findBefore('bytes', bytes), Infinity, Infinity, bytes).points;
  }

  /** The last place that is not too far. */
  #findBefore(unit: 'points' | 'bytes', most: number): Place {
    if (this.#hasUnnoted()) runAtOnce(this.noteInSteps());
    const places = this.#places;
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const place = places[middle] ?? START;
      if ((unit === 'points' ? place.points : place.bytes) <= most) low = middle;
      else high = middle - 1;
    }
    return places[low] ?? START;
  }

  #hasUnnoted(): boolean {
    return this.#text.length - (this.#places.at(-1) ?? START).characters > PIECE_CHARACTERS;
  }

  /** Notes the places of what has come since the last time, in steps, which leaves little to do to whoever looks for one. */
  *noteInSteps(): Steps<void> {
    const places = this.#places;
    let last = places.at(-1) ?? START;
    while (this.#text.length - last.characters > PIECE_CHARACTERS) {
      last = moveOn(this.#text, last, last.characters + PIECE_CHARACTERS);
      places.push(last);
      yield;
    }
  }
}

/** The place of the first character that begins at one of the limits, or behind it; the end of the text where none does. */
function moveOn(
  text: string,
  from: Place,
  mostCharacters: number,
  mostPoints = Infinity,
  mostBytes = Infinity,
): Place {
  let { characters, points, bytes } = from;
  const end = Math.min(mostCharacters, text.length);
  // Nothing is copied to be counted: there may be thousands of places in a text.
  while (characters < end && points < mostPoints && bytes < mostBytes) {
    const unit = text.charCodeAt(characters);
    const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(characters + 1) & 0xfc00) === 0xdc00;
    characters += isPair ? 2 : 1;
    points++;
    bytes += isPair ? 4 : countBytes(unit);
  }
  return { characters, points, bytes };
}

/** Of a character of one unit in UTF-8. */
function countBytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}
