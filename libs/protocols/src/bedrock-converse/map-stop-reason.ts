import { readObject, readText } from '../canonical/read-fields.js';
import type { StopReason } from '../canonical/reply.js';

const FROM_WIRE: ReadonlyMap<unknown, StopReason> = new Map<unknown, StopReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-call'],
  ['guardrail_intervened', 'filtered'],
  ['content_filtered', 'filtered'],
]);

/** Endings that are the model's own failure: nothing of the answer can be relied on. */
const FAILED_GENERATIONS: ReadonlySet<unknown> = new Set(['malformed_model_output', 'malformed_tool_use']);

const TO_WIRE: Readonly<Record<StopReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-call': 'tool_use',
  filtered: 'content_filtered',
  paused: 'end_turn',
};

export function isFailedGeneration(reason: unknown): boolean {
  return FAILED_GENERATIONS.has(reason);
}

/** A reason that is not known ends a reply like any normal one. */
export function readStopReason(reason: unknown): StopReason {
  return FROM_WIRE.get(reason) ?? 'stop';
}

export function writeStopReason(stop: StopReason): string {
  return TO_WIRE[stop];
}

/** The stop string that was met, where the model's own fields report it: whole answers and streams do so in two places. */
export function readStopSequence(fields: unknown): string | undefined {
  const object = readObject(fields);
  return readText(object?.stop_sequence) ?? readText(readObject(object?.delta)?.stop_sequence);
}
