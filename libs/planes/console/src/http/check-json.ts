import { setImmediate } from 'node:timers/promises';
import { BODY_LIMITS, JsonScanner, NameTable } from '@mg/protocols';

/** Bytes that are read in one turn of the event loop. */
const STEP_BYTES = 64 * 1024;
/**
 * A body is parsed, searched for what cannot be stored and checked by its schema in a few steps, by anybody who signs in: all that a
 * gateway's calls may hold took a tenth of a second. The largest that is sent, 500 models with their prices, has two thirds of
 * this; a file of prices is one string.
 */
const LIMITS = {
  ...BODY_LIMITS,
  members: 12_000,
  topMembers: 100,
  newNames: 1_500,
  containers: 1_600,
  strings: 6_000,
  scalars: 6_000,
  allNameBytes: 256 * 1024,
};
/** No name has another meaning here than that of the schema that it is checked by. */
const NO_NAMES = new NameTable({ names: [], ownData: [], ownDataAtTop: [], ignoresUnderscores: false });

/**
 * Refuses a body before it is parsed that says something twice, or holds so much that parsing it would hold up everybody else.
 * Grammar is left to the parser.
 *
 * @throws GatewayError `invalid_request` that names the member.
 */
export async function checkJson(body: Buffer): Promise<void> {
  const scanner = new JsonScanner(NO_NAMES, LIMITS);
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    scanner.push(body.subarray(at, at + STEP_BYTES));
    if (body.length > STEP_BYTES) await setImmediate();
  }
  scanner.end();
}
