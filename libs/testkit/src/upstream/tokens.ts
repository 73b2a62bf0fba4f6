import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';

/** The smallest stretch of a text that a model emits at once: usually one token, more where a character needs several. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
}

const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };
const REPLACEMENT = '\uFFFD';

/** Longer texts, such as a tool's result of megabytes that is said again, are cut by their characters alone. */
const MAX_PIECED_CHARACTERS = 8 * 1024;
const LONG_PIECES = /[^]{1,4}/gu;

/** Cuts a text into the pieces a model would stream, each with its token count. */
export function splitIntoPieces(text: string): readonly Piece[] {
  if (text.length > MAX_PIECED_CHARACTERS) {
    return (text.match(LONG_PIECES) ?? []).map((piece) => ({ text: piece, tokens: 1 }));
  }
  const pieces: Piece[] = [];
  let pending: number[] = [];
  for (const token of encode(text, PLAIN_TEXT)) {
    pending.push(token);
    const stretch = decode(pending);
    if (stretch.endsWith(REPLACEMENT)) continue;
    pieces.push({ text: stretch, tokens: pending.length });
    pending = [];
  }
  if (pending.length > 0) pieces.push({ text: decode(pending), tokens: pending.length });
  return pieces;
}

/** Longer texts are not encoded: that takes time in the square of a run of letters. */
const MAX_ENCODED_CHARACTERS = 64 * 1024;
const CHARACTERS_PER_TOKEN = 4;

export function countTextTokens(text: string): number {
  if (text.length > MAX_ENCODED_CHARACTERS) return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  return text === '' ? 0 : encode(text, PLAIN_TEXT).length;
}

const WORDS =
  'The river runs past the old mill and every morning a small boat carries bread to the people on the far side who wait for it with warm coffee and good news';

const WORD_PIECES: readonly Piece[] = WORDS.split(' ').map((word, index) => ({
  text: index === 0 ? word : ` ${word}`,
  tokens: 1,
}));

/** A plain English text of exactly so many tokens, one word each. */
export function writeText(tokens: number): readonly Piece[] {
  return Array.from({ length: tokens }, (_, index) => {
    const piece = WORD_PIECES[index % WORD_PIECES.length] as Piece;
    return index > 0 && index % WORD_PIECES.length === 0 ? { text: ` ${piece.text}`, tokens: 1 } : piece;
  });
}
