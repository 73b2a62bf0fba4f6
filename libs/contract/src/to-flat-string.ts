import { freeBuffer } from './join-in-slices.js';

/** A string of so many bytes is made in one step whatever its memory costs: well under ten milliseconds. */
const ONE_STEP_BYTES = 2 * 1024 * 1024;
/** Fresh memory that is touched in one step: half of a huge page, so that a step meets one of them at most. */
const TOUCHED_BYTES = 1024 * 1024;
const PAGE_BYTES = 4096;

/**
 * Bytes as one flat string. V8 copies them in one go, into fresh memory, and a system hands out each page of that when it is
 * first written: 20 MB take five milliseconds, and up to 45 on a virtual machine whose host has taken back what was free. So as
 * much memory is touched in steps before, and given back just before the string is made, which then gets the same pages.
 *
 * @param pause is waited for between two steps.
 */
export async function toFlatString(
  bytes: Buffer,
  encoding: 'latin1' | 'utf16le',
  pause: () => Promise<void>,
): Promise<string> {
  if (bytes.length > ONE_STEP_BYTES) freeBuffer(await touchInSlices(bytes.length, pause));
  return bytes.toString(encoding);
}

async function touchInSlices(length: number, pause: () => Promise<void>): Promise<Buffer> {
  const touched = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; at += PAGE_BYTES) {
    touched[at] = 0;
    if (at % TOUCHED_BYTES === 0) await pause();
  }
  return touched;
}
