import { holdsTooMuch } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
import type { StopReason } from '../canonical/reply.js';
import { isObject, type JsonObject } from '../json.js';

const FROM_WIRE: ReadonlyMap<unknown, StopReason> = new Map<unknown, StopReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-call'],
  ['function_call', 'tool-call'],
  ['content_filter', 'filtered'],
]);

const TO_WIRE: Readonly<Record<StopReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-call': 'tool_calls',
  filtered: 'content_filter',
  paused: 'stop',
};

/** A reason that is not known ends a reply like any normal one. */
export function readStopReason(reason: unknown): StopReason {
  return FROM_WIRE.get(reason) ?? 'stop';
}

/** Whether a policy ended every choice of an answer; no one looks at thousands of choices for that. */
export function isChatRefusal({ choices }: JsonObject): boolean {
  const list = readList(choices);
  if (holdsTooMuch(list.length)) return false;
  let isRefusal = false;
  for (const choice of list) {
    if (!isObject(choice)) continue;
    if (readStopReason(choice.finish_reason) !== 'filtered') return false;
    isRefusal = true;
  }
  return isRefusal;
}

/** @param functionCalls whether the client knows only the deprecated functions. */
export function writeStopReason(stop: StopReason, functionCalls = false): string {
  return functionCalls && stop === 'tool-call' ? 'function_call' : TO_WIRE[stop];
}
