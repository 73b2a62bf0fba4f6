import { JsonShape, type ShapeLimits } from '../framing/json-shape.js';
import type { JsonOutline } from './json-outline.js';

/** Bytes that are scanned in one step: a millisecond, and five where V8 has not optimized the code yet, or has dropped that. */
export const SCAN_BYTES = 64 * 1024;

/**
 * Scans a large JSON text in steps, so that it can be parsed in steps.
 *
 * @param pause is waited for between two steps.
 * @returns `undefined` where it holds more than the limits allow.
 */
export async function scanInSlices(
  text: Buffer,
  limits: ShapeLimits,
  pause: () => Promise<void>,
): Promise<JsonOutline | undefined> {
  const shape = new JsonShape(limits);
  for (let at = 0; at < text.length; at += SCAN_BYTES) {
    if (at > 0) await pause();
    if (!shape.push(text.subarray(at, at + SCAN_BYTES))) return undefined;
  }
  return shape.end();
}
