import type { StopReason } from '../canonical/reply.js';

const FROM_WIRE: ReadonlyMap<unknown, StopReason> = new Map<unknown, StopReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-call'],
  ['refusal', 'filtered'],
  ['pause_turn', 'paused'],
]);

const TO_WIRE: Readonly<Record<StopReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-call': 'tool_use',
  filtered: 'refusal',
  paused: 'pause_turn',
};

/** A reason that is not known ends a reply like any normal one. */
export function readStopReason(reason: unknown): StopReason {
  return FROM_WIRE.get(reason) ?? 'stop';
}

/** A stop string whose text is unknown is not reported as one. */
export function writeStopReason(stop: StopReason, stopSequence: string | undefined): string {
  return stop === 'stop-sequence' && stopSequence === undefined ? 'end_turn' : TO_WIRE[stop];
}
