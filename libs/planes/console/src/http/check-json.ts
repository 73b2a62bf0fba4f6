import { setImmediate } from 'node:timers/promises';
import { BODY_LIMITS, JsonScanner, NameTable } from '@mg/protocols';

/** Bytes that are read in one turn of the event loop. */
const STEP_BYTES = 64 * 1024;
/** No name has another meaning here than that of the schema that it is checked by. */
const NO_NAMES = new NameTable({ names: [], ownData: [], ownDataAtTop: [], ignoresUnderscores: false });

/**
 * Refuses a body before it is parsed that says something twice, or holds so much that parsing it would hold up everybody else.
 * Grammar is left to the parser.
 *
 * @throws GatewayError `invalid_request` that names the member.
 */
export async function checkJson(body: Buffer): Promise<void> {
  const scanner = new JsonScanner(NO_NAMES, BODY_LIMITS);
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    if (at > 0) await setImmediate();
    scanner.push(body.subarray(at, at + STEP_BYTES));
  }
  scanner.end();
}
