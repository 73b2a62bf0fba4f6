import { joinInSlices } from '@mg/contract';

/** LF and CR, and the bytes in UTF-8 of U+0085, U+2028 and U+2029, at which some readers of lines cut too. */
const BREAKS = ['\n', '\r', '\u0085', '\u2028', '\u2029'];
const BREAK_BYTES = /[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\xc2\x85': '\\u0085',
  '\xe2\x80\xa8': '\\u2028',
  '\xe2\x80\xa9': '\\u2029',
};

/**
 * JSON without anything that a reader of lines may take for their end: a caller could otherwise have lines of their own carried
 * out, which nobody is charged for. Breaks of ASCII stand between values alone, the others in texts alone.
 */
export function onOneLine(json: Buffer): Buffer {
  if (!BREAKS.some((one) => json.includes(one))) return json;
  const text = json.toString('latin1').replaceAll(BREAK_BYTES, (one) => ESCAPES[one] ?? ' ');
  return Buffer.from(text, 'latin1');
}

/** What is searched for breaks in one step: three milliseconds where it holds nothing else. */
const STEP_BYTES = 32 * 1024;
const CONTINUES = 0x80;
const MARKS = 0xc0;

/**
 * The same in steps, for JSON of megabytes.
 *
 * @param pause is waited for between two steps.
 */
export async function onOneLineInSteps(json: Buffer, pause: () => Promise<void>): Promise<Buffer> {
  if (!BREAKS.some((one) => json.includes(one))) return json;
  const pieces: Buffer[] = [];
  for (let at = 0; at < json.length;) {
    let end = Math.min(at + STEP_BYTES, json.length);
    // Not within a character.
    while (end < json.length && ((json[end] ?? 0) & MARKS) === CONTINUES) end++;
    pieces.push(onOneLine(json.subarray(at, end)));
    at = end;
    await pause();
  }
  return joinInSlices(pieces, pause);
}
