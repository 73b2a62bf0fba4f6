/** How a chunk begins that says when it was sent. */
export const CHUNK_PREFIX = 'data: {"id":"chatcmpl-';
/** Microseconds since 1970, as long as years have four digits beginning with 20. */
export const STAMP_DIGITS = 16;

/** Now, in microseconds since 1970. */
export function formatStamp(): string {
  return String(Math.round(nowMs() * 1_000)).padStart(STAMP_DIGITS, '0');
}

/**
 * How long ago a chunk was sent, in milliseconds.
 *
 * @param at where its event begins.
 * @returns `undefined` for a chunk without a stamp.
 */
export function readDelayMs(bytes: Buffer, at: number): number | undefined {
  const from = at + CHUNK_PREFIX.length;
  const sentUs = Number(bytes.toString('latin1', from, from + STAMP_DIGITS));
  return sentUs > 0 ? nowMs() - sentUs / 1_000 : undefined;
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
