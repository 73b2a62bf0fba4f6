import type { Block } from './blocks.js';
import type { StopReason } from './reply.js';

/**
 * Decides why a reply ended: one that calls tools and ended normally ended for the call, whatever the upstream said;
 * one that calls none did not.
 */
export function resolveStopReason(stop: StopReason, calls: boolean): StopReason {
  if (calls) return stop === 'stop' ? 'tool-call' : stop;
  return stop === 'tool-call' ? 'stop' : stop;
}

export function hasCalls(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.type === 'tool-call');
}
