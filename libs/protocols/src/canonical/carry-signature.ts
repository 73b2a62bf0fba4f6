import type { ProtocolName, Signature } from './blocks.js';
import { refuseField } from './refuse.js';

/** What a carried signature proves: reasoning that were shown, reasoning that were hidden, or a call. */
export type CarriedKind = 'thought' | 'redacted' | 'call';

export interface CarriedSignature {
  readonly kind: CarriedKind;
  readonly signature: Signature;
}

/** Base64 of `["mg1"`, with which every carried signature begins. */
const MARK = 'WyJtZzEi';
/**
 * Characters of carried signatures that are read in one step, which takes some milliseconds: those of one turn. What proves the longest
 * reasoning has half a million.
 */
export const MOST_CARRIED = 2 * 1024 * 1024;
const PROTOCOL_NAME = /^[a-z]+(?:-[a-z]+)*$/;
const KINDS: ReadonlySet<string> = new Set<CarriedKind>(['thought', 'redacted', 'call']);

/**
 * Wraps one protocol's signature so that it fits where another protocol's clients expect their own and echo it back
 * untouched. The result is base64, which every such field takes.
 */
export function packSignature(signature: Signature, kind: CarriedKind): string {
  return Buffer.from(JSON.stringify(['mg1', signature.protocol, kind, signature.value])).toString('base64');
}

/** Reads what `packSignature` wrote, in either base64 alphabet; `undefined` for a protocol's own signature. */
export function unpackSignature(text: string): CarriedSignature | undefined {
  if (!text.startsWith(MARK) || text.length > MOST_CARRIED) return undefined;
  try {
    const [, protocol, kind, value] = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as unknown[];
    if (typeof protocol !== 'string' || !PROTOCOL_NAME.test(protocol)) return undefined;
    if (typeof kind !== 'string' || !KINDS.has(kind) || typeof value !== 'string') return undefined;
    return { kind: kind as CarriedKind, signature: { protocol: protocol as ProtocolName, value } };
  } catch {
    return undefined;
  }
}

/** @throws GatewayError `invalid_request` where the texts of one turn are more of carried signatures than is read. */
export function limitCarried(texts: readonly unknown[], name: string): void {
  let characters = 0;
  for (const text of texts) if (typeof text === 'string' && text.startsWith(MARK)) characters += text.length;
  if (characters > MOST_CARRIED) {
    refuseField(name, `must hold at most ${MOST_CARRIED} characters of signatures of other providers`);
  }
}

const MARK_BYTES = Buffer.from(MARK);

/** Whether a request holds a carried signature anywhere: its own protocol's upstreams refuse one that is not theirs. */
export function hasCarriedSignature(body: Buffer): boolean {
  return body.includes(MARK_BYTES);
}
