import type { FileFacts, StoredFiles } from '@mg/persistence/gateway';
import type { SentContent } from './send-stored-file.js';

const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** Where the results of a batch lie, and what they stand in. */
export interface GoogleResults {
  readonly walletId: string;
  /** One result a line, each with a line break behind it. */
  readonly file: FileFacts;
  /** Texts between which all results stand, each time as a list of JSON without its brackets. */
  readonly frame: readonly string[];
}

/** A batch of Google's API with its results, which are read from their file piece by piece, once for each place. */
export function readGoogleResults(
  { walletId, file, frame }: GoogleResults,
  files: Pick<StoredFiles, 'read'>,
): SentContent {
  const texts = frame.map((text) => Buffer.from(text));
  // Every line break is a comma, but for the last one.
  const list = Math.max(file.bytes - 1, 0);
  const bytes = texts.reduce((sum, { length }) => sum + length, list * (texts.length - 1));
  return { pieces: weave(texts, () => readList(files.read(walletId, file), list)), bytes, type: JSON_TYPE };
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** A text comes once what stands behind it can be read: nothing comes of results that cannot be. */
async function* weave(
  texts: readonly Buffer[],
  between: () => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0);
  for (const [at, text] of texts.entries()) {
    if (at > 0) {
      for await (const piece of between()) {
        if (waiting.length > 0) yield waiting;
        waiting = Buffer.alloc(0);
        yield piece;
      }
    }
    waiting = Buffer.concat([waiting, text]);
  }
  yield waiting;
}

/** The first `bytes` of a file of lines, with a comma for each line break. */
async function* readList(pieces: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const piece of pieces) {
    const taken = piece.subarray(0, left);
    left -= taken.length;
    for (let at = taken.indexOf(NEWLINE); at >= 0; at = taken.indexOf(NEWLINE, at + 1)) taken[at] = COMMA;
    if (taken.length > 0) yield taken;
  }
}
