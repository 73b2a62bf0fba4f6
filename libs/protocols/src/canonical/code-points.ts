/** What a character beyond the first 65,536 begins with. */
const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Length of a text in code points: offsets of citations count them, whatever a language's strings count. */
export function countCodePoints(text: string): number {
  // Most texts have none of them, which is found out many times as fast.
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
      pairs++;
      at++;
    }
  }
  return text.length - pairs;
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
