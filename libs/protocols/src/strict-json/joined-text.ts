/** Up to so many characters texts are joined: that costs less than keeping them apart. */
const SHORT_CHARACTERS = 64 * 1024;

/**
 * A long text in pieces, as a value of JSON that is written, or of a file in JSON that was read. Joined, megabytes would be copied in
 * one step by whoever looks into the text first.
 */
export class JoinedText {
  readonly length: number;

  constructor(readonly pieces: readonly string[]) {
    this.length = countCharacters(pieces);
  }

  /** What JSON that is written at once has in its place. */
  toJSON(): string {
    return this.pieces.join('');
  }
}

/** Texts as one, in pieces where it is long. */
export function joinTexts(texts: readonly string[]): string | JoinedText {
  const [only = ''] = texts;
  if (texts.length <= 1) return only;
  return countCharacters(texts) <= SHORT_CHARACTERS ? texts.join('') : new JoinedText(texts);
}

/** Whether a value of JSON that was read is a text, in one piece or in several. */
export function isText(value: unknown): value is string | JoinedText {
  return typeof value === 'string' || value instanceof JoinedText;
}

export function piecesOf(text: string | JoinedText): readonly string[] {
  return typeof text === 'string' ? [text] : text.pieces;
}

function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
