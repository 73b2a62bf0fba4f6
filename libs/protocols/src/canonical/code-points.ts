const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Shorter texts are read character by character. */
const LONG_CHARACTERS = 4_096;
/** Code units of a long text, so many at a time: reading them out of a string takes several times as long. */
const units = new Uint16Array(64 * 1024);
const bytes = Buffer.from(units.buffer);

/** Length of a text in code points: offsets of citations count them, whatever a language's strings count. */
export function countCodePoints(text: string): number {
  // Most texts have none of them, which is found out many times as fast.
  if (!HIGH_SURROGATE.test(text)) return text.length;
  return text.length - (text.length < LONG_CHARACTERS ? countPairs(text) : countPairsOfLong(text));
}

function countPairs(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
      pairs++;
      at++;
    }
  }
  return pairs;
}

/** 2 to 3 ms for four million characters. */
function countPairsOfLong(text: string): number {
  let pairs = 0;
  let previous = 0;
  for (let from = 0; from < text.length; from += units.length) {
    const count =
      bytes.write(text.slice(from, from + units.length), 'utf16le') / Uint16Array.BYTES_PER_ELEMENT;
    for (let at = 0; at < count; at++) {
      const unit = units[at] ?? 0;
      if (isLowSurrogate(unit) && isHighSurrogate(previous)) pairs++;
      previous = unit;
    }
  }
  return pairs;
}

/** The same of a text that comes piece by piece and is not kept; a piece may end within a character. */
export class CodePointCounter {
  #points = 0;
  #endsWithin = false;

  get points(): number {
    return this.#points;
  }

  add(piece: string): void {
    if (piece === '') return;
    const continues = this.#endsWithin && isLowSurrogate(piece.charCodeAt(0));
    this.#points += countCodePoints(piece) - (continues ? 1 : 0);
    this.#endsWithin = isHighSurrogate(piece.charCodeAt(piece.length - 1));
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
