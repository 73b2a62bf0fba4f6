import { EventOrderChecker } from '../canonical/check-events.js';
import type { Codec } from '../canonical/codec.js';
import type { CanonicalEvent } from '../canonical/events.js';

/** Decodes a stream that comes in these pieces, and checks that its events keep their order. */
export function decodeStream(codec: Codec, pieces: readonly Buffer[]): CanonicalEvent[] {
  const decoder = codec.createStreamDecoder();
  const checker = new EventOrderChecker();
  const events = [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
  for (const event of events) checker.check(event);
  return events;
}

/** A stream in two pieces, cut at an offset. */
export function cutAt(stream: Buffer, offset: number): Buffer[] {
  return [stream.subarray(0, offset), stream.subarray(offset)];
}

/** Where a stream is cut in a test: as many places as these, spread over it; every one of them when `npm run fuzz` asks for it. */
export function listOffsets(stream: Buffer, most: number): number[] {
  const every = Array.from({ length: stream.length + 1 }, (_, offset) => offset);
  if (process.env.FUZZ_SEED !== undefined || every.length <= most) return every;
  // Odd steps fall on every part of lines that are alike.
  const step = Math.ceil(every.length / most) | 1;
  return every.filter((offset) => offset % step === 0);
}

/** A stream byte by byte. */
export function cutEverywhere(stream: Buffer): Buffer[] {
  return Array.from(stream, (_, index) => stream.subarray(index, index + 1));
}

export interface CollectedStream {
  readonly blocks: readonly Record<string, unknown>[];
  readonly usage: unknown;
  readonly rest: readonly CanonicalEvent[];
}

/** The blocks, endings, usage and failure that a stream comes to, whatever pieces it came in. */
export function collectStream(events: readonly CanonicalEvent[]): CollectedStream {
  const blocks: Record<string, unknown>[] = [];
  const rest: CanonicalEvent[] = [];
  let usage: unknown;
  for (const event of events) {
    if (event.type === 'block-start') blocks.push({ choice: event.choice, ...event.block });
    else if (event.type === 'block-delta') grow(findLast(blocks, event.choice), event.delta);
    else if (event.type === 'usage') usage = event.usage;
    else if (event.type !== 'reply-start' && event.type !== 'block-end') rest.push(event);
  }
  return { blocks, usage, rest };
}

function findLast(blocks: readonly Record<string, unknown>[], choice: number): Record<string, unknown> {
  return blocks.findLast((block) => block.choice === choice) ?? {};
}

function grow(
  block: Record<string, unknown>,
  delta: Extract<CanonicalEvent, { type: 'block-delta' }>['delta'],
): void {
  if (delta.type === 'arguments') block.arguments = String(block.arguments) + delta.json;
  else if (delta.type === 'signature') block.signature = delta.signature;
  else if (delta.type === 'citation') {
    block.citations = [...((block.citations as unknown[] | undefined) ?? []), delta.citation];
  } else block.text = String(block.text) + delta.text;
}
