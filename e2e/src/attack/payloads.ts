const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));
const quote =
  (text: string): Fill =>
  (bytes) =>
    `"${repeat(text, bytes)}"`;

/** A JSON value of about so many bytes; some end in the middle. */
export type Fill = (bytes: number) => string;

/** What a text of a body or an answer can be replaced by, so that reading it takes long. */
export const PAYLOADS: Readonly<Record<string, Fill>> = {
  'one letter': quote('a'),
  spaces: quote(' '),
  Chinese: quote('漢'),
  emoji: quote('😀'),
  escapes: quote('\\n'),
  deep: (bytes) => '['.repeat(bytes),
  'deep and closed': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  numbers: (bytes) => `[${repeat('1,', bytes)}1]`,
  names: (bytes) => `{${Array.from({ length: bytes / 10 }, (_, n) => `"k${n}":1`).join()}}`,
  'a long number': (bytes) => '1'.repeat(bytes),
  'long names': (bytes) =>
    `{${Array.from({ length: bytes / 400 }, (_, n) => `"${n}${'k'.repeat(380)}":1`).join()}}`,
  'short strings': (bytes) => `[${repeat('"a",', bytes)}""]`,
};
