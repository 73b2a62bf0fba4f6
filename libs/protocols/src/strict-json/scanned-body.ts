import type { MemberSpan } from '../splice-json.js';
import { BODY_LIMITS } from './json-limits.js';
import { JsonScanner } from './json-scanner.js';
import { SNAKE_NAMES } from './known-names.js';
import type { NameTable } from './name-table.js';

/** A body is scanned once, however many channels its members are edited for. */
const SCANS = new WeakMap<Buffer, readonly MemberSpan[]>();
/** Objects, arrays and different names of bodies that came in. */
const PARTS = new WeakMap<Buffer, number>();

/**
 * The members at the top level of a JSON body, where they stand in its bytes, after everything that {@link JsonScanner}
 * refuses has been refused.
 *
 * @throws GatewayError `invalid_request` naming the member.
 */
export function scanBody(body: Buffer, names: NameTable = SNAKE_NAMES): readonly MemberSpan[] {
  const known = SCANS.get(body);
  if (known) return known;
  const scanner = new JsonScanner(names, BODY_LIMITS);
  scanner.push(body);
  return rememberScan(body, scanner.end());
}

/**
 * Notes what a scanner has found in a body while it was coming in.
 *
 * @param parts objects, arrays and different names that the body holds.
 */
export function rememberScan(body: Buffer, members: readonly MemberSpan[], parts = 0): readonly MemberSpan[] {
  SCANS.set(body, members);
  PARTS.set(body, parts);
  return members;
}

/** Objects, arrays and different names of a body that came in; 0 where they were not counted. */
export function countParts(body: Buffer): number {
  return PARTS.get(body) ?? 0;
}
