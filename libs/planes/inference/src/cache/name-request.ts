import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '@mg/protocols';

/** Longer requests are seldom the same twice, and take long to name. */
const MAX_BYTES = 256 * 1024;
/** What a body may hold of marks that stand before values to have its members put in order: some milliseconds. */
const MOST_SORTED = 3_000;
const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');
/** Headers that may change what is answered. */
const HEADERS = [
  'anthropic-beta',
  'anthropic-version',
  'x-gateway-cost',
  'x-gateway-strict',
  'x-gateway-fallback',
] as const;

/** What of a request decides its answer, beside its body. */
export interface RequestFacts {
  readonly walletId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly stream: boolean;
  readonly framing: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A name that two requests of one wallet share exactly when their bodies say the same, whatever the order of their members and
 * the space between them; of a body with thousands of values, when they are the same byte for byte. `undefined` for a body that
 * is too long.
 */
export function nameRequestBody(body: Buffer, facts: RequestFacts): string | undefined {
  if (body.length > MAX_BYTES) return undefined;
  const { walletId, endpoint, model, stream, framing, headers } = facts;
  const asked = HEADERS.map((name) => headers[name] ?? null);
  const said = mayHoldMany(body) ? body : sortBody(body);
  const whole = [walletId, endpoint, model, stream, framing, asked];
  return createHash('sha256')
    .update(`${JSON.stringify(whole)}\n`)
    .update(said)
    .digest('base64url');
}

/** Whether a body may hold more values than are put in order in one step. Marks within its texts count as well. */
function mayHoldMany(body: Buffer): boolean {
  let marks = 0;
  for (let at = 0; at < body.length && marks <= MOST_SORTED; at++) {
    const byte = body[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) marks++;
  }
  return marks > MOST_SORTED;
}

function sortBody(body: Buffer): string {
  // Numbers by their digits: two beyond 2^53 may be one number to a parser.
  return JSON.stringify(sortMembers(JSON.parse(body.toString('utf8'), keepDigits)));
}

/** A number as it was written. */
class Digits {
  constructor(readonly text: string) {}
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value;
}

/** Objects with their members in order. Only numbers and objects become objects, each of another shape. */
function sortMembers(value: unknown): unknown {
  if (value instanceof Digits) return { number: value.text };
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sortMembers(member)] as const);
  return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}
