import { parseRequestBody } from '../canonical/parse-request-body.js';
import type { JsonObject } from '../json.js';
import { JsonOutline } from '../strict-json/json-outline.js';
import { JsonScanner } from '../strict-json/json-scanner.js';
import type { NameTable } from '../strict-json/name-table.js';
import { recallParsed } from '../strict-json/parsed-bodies.js';
import { parseInSlices } from '../strict-json/parse-in-slices.js';
import { rememberScan } from '../strict-json/scanned-body.js';
import { REALTIME_LIMITS } from './realtime-names.js';

/** A message up to here is scanned and parsed at once: pieces of audio are no longer. One of ever new names takes 10 ms for 40 KB. */
const AT_ONCE_BYTES = 16 * 1024;

/**
 * Scans and parses a long message of a client in steps, for {@link parseClientMessage}. A megabyte of escapes or emoji takes 10 ms.
 *
 * @param pause is waited for between two steps.
 * @throws GatewayError `invalid_request` with the name of the member, for what two readers could read differently.
 */
export async function parseLongClientMessage(
  message: Buffer,
  names: NameTable,
  pause: () => Promise<void>,
): Promise<void> {
  if (message.length <= AT_ONCE_BYTES) return;
  const outline = new JsonOutline();
  const scanner = new JsonScanner(names, REALTIME_LIMITS, outline);
  for (let at = 0; at < message.length; at += AT_ONCE_BYTES) {
    scanner.push(message.subarray(at, at + AT_ONCE_BYTES));
    await pause();
  }
  rememberScan(message, scanner.end());
  await parseInSlices(message, outline, pause);
}

/**
 * Parses a message of a client, in which every name has one meaning, in one step where that was not done in several before.
 *
 * @throws GatewayError `invalid_request` with the name of the member.
 */
export function parseClientMessage(message: Buffer, names: NameTable): JsonObject {
  const parsed = recallParsed(message);
  if (parsed) return parsed.value;
  const scanner = new JsonScanner(names, REALTIME_LIMITS);
  scanner.push(message);
  rememberScan(message, scanner.end());
  return parseRequestBody(message, names);
}
