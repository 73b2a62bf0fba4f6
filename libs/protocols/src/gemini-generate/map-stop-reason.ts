import type { StopReason } from '../canonical/reply.js';

const REASONS: Readonly<Record<string, StopReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'filtered',
  RECITATION: 'filtered',
  LANGUAGE: 'filtered',
  BLOCKLIST: 'filtered',
  PROHIBITED_CONTENT: 'filtered',
  SPII: 'filtered',
  IMAGE_SAFETY: 'filtered',
  IMAGE_PROHIBITED_CONTENT: 'filtered',
  IMAGE_RECITATION: 'filtered',
};

/** Endings that are the upstream's own failure: nothing of the answer can be relied on. */
const FAILED_GENERATIONS = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'OTHER',
  'IMAGE_OTHER',
  'NO_IMAGE',
]);

export function isFailedGeneration(finishReason: string): boolean {
  return FAILED_GENERATIONS.has(finishReason);
}

/** Google ends with `STOP` for calls too, so a reply that holds one ended for it. Unknown reasons are a normal end. */
export function readGeminiStop(finishReason: string, hasCall: boolean): StopReason {
  const stop = Object.hasOwn(REASONS, finishReason) ? (REASONS[finishReason] ?? 'stop') : 'stop';
  return stop === 'stop' && hasCall ? 'tool-call' : stop;
}

const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  'tool-call': 'STOP',
  paused: 'STOP',
  length: 'MAX_TOKENS',
  filtered: 'SAFETY',
};

export function writeGeminiStop(stop: StopReason): string {
  return FINISH_REASONS[stop];
}
