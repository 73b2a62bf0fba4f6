import { GatewayError } from '@mg/contract';
import { type JsonObject, parseObject } from '../json.js';
import type { JsonLimits } from '../strict-json/json-limits.js';
import { JsonOutline } from '../strict-json/json-outline.js';
import { JsonScanner } from '../strict-json/json-scanner.js';
import { NameTable } from '../strict-json/name-table.js';
import { parseAnswerInSlices } from '../strict-json/parse-in-slices.js';
import { recallParsed } from '../strict-json/parsed-bodies.js';
import { REALTIME_LIMITS } from './realtime-names.js';

/** What `JSON.parse` does with a message up to here takes some milliseconds at most, whatever it holds. */
const PARSED_UNSEEN_BYTES = 64 * 1024;
/** Bytes that are scanned in one step, names one by one: a millisecond, and four where V8 has not optimized the code. */
const SCANNED_BYTES = 32 * 1024;
/** What upstreams send is not ours to name. */
const NO_NAMES = new NameTable({ names: [], ownData: [], ownDataAtTop: [], ignoresUnderscores: false });
/** An upstream repeats what its client has sent, with as much again of its own: no client can make it send too much. */
const LIMITS: JsonLimits = {
  ...REALTIME_LIMITS,
  depth: 2 * REALTIME_LIMITS.depth,
  members: 2 * REALTIME_LIMITS.members,
  topMembers: 2 * REALTIME_LIMITS.topMembers,
  newNames: 2 * REALTIME_LIMITS.newNames,
  containers: 2 * REALTIME_LIMITS.containers,
  strings: 2 * REALTIME_LIMITS.strings,
  scalars: 2 * REALTIME_LIMITS.scalars,
  allNameBytes: 2 * REALTIME_LIMITS.allNameBytes,
};

/**
 * Parses a long message of an upstream in steps, for {@link parseServerMessage}. Two megabytes of escapes take 12 ms.
 *
 * @param pause is waited for between two steps.
 */
export async function parseLongServerMessage(message: Buffer, pause: () => Promise<void>): Promise<void> {
  if (message.length <= PARSED_UNSEEN_BYTES) return;
  const outline = new JsonOutline();
  const scanner = new JsonScanner(NO_NAMES, LIMITS, outline);
  try {
    for (let at = 0; at < message.length; at += SCANNED_BYTES) {
      scanner.push(message.subarray(at, at + SCANNED_BYTES));
      await pause();
    }
    scanner.end();
    await parseAnswerInSlices(message, outline, pause);
  } catch (error) {
    // Who reads it finds out by itself.
    if (!(error instanceof GatewayError)) throw error;
  }
}

/**
 * Parses a message of an upstream in one step, where that was not done in several before; `undefined` for what is no object, or is
 * long and has so many members that parsing would hold the event loop. Two megabytes of text take 5 ms, of members up to 85 ms.
 */
export function parseServerMessage(message: Buffer): JsonObject | undefined {
  const parsed = recallParsed(message);
  if (parsed) return parsed.value;
  if (message.length > PARSED_UNSEEN_BYTES && !isParsedQuickly(message)) return undefined;
  return parseObject(message.toString('utf8'));
}

function isParsedQuickly(message: Buffer): boolean {
  const scanner = new JsonScanner(NO_NAMES, LIMITS);
  try {
    scanner.push(message);
    scanner.end();
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
