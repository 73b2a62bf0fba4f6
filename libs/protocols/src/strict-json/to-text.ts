import { toFlatString } from '@mg/contract';
import { JoinedText } from './joined-text.js';

/** Copied in one step: two milliseconds. An even number, for characters of two bytes. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** Makes a text of bytes. */
export type MakeText<Text> = (bytes: Buffer, encoding: 'latin1' | 'utf16le') => Promise<Text>;

/**
 * The text of bytes, which is copied into V8's strings in one go as far as it is one string: 46 MB take 12 ms.
 *
 * @param pause is waited for between two steps.
 * @param flatBytes a longer text comes in pieces.
 */
export async function toText(
  bytes: Buffer,
  encoding: 'latin1' | 'utf16le',
  pause: () => Promise<void>,
  flatBytes: number,
): Promise<string | JoinedText> {
  if (bytes.length <= flatBytes) return toFlatString(bytes, encoding, pause);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(await toFlatString(bytes.subarray(at, at + PIECE_BYTES), encoding, pause));
    await pause();
  }
  return new JoinedText(pieces);
}
