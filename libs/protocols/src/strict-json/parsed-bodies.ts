import { AttachedValue } from '../attached-value.js';

/** A body that was parsed before its envelope is read. */
export interface ParsedBody {
  readonly value: Record<string, unknown>;
  /** The same with integers beyond 2^53 as they were written. */
  readonly exact: Record<string, unknown>;
}

const PARSED = new AttachedValue<Buffer, ParsedBody>();

/** What was read of a body before; `undefined` where it is still to be parsed. */
export function recallParsed(body: Buffer): ParsedBody | undefined {
  return PARSED.get(body);
}

/** Remembers what a body holds for as long as its buffer lives. */
export function rememberParsed(body: Buffer, parsed: ParsedBody): void {
  PARSED.set(body, parsed);
}
