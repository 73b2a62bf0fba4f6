import { setImmediate } from 'node:timers/promises';
import { stringifyInSlices } from '@mg/protocols';
import type { BatchRequest, BatchResult } from '@mg/providers';
import type { UpstreamStep } from './end-upstream.js';
import { readLineName } from './name-line.js';

/**
 * Reads results as they come in, and settles the lines that they are about.
 *
 * @returns whether there are such results.
 * @throws UpstreamFailure, GatewayAway: they are to be read again from the beginning.
 */
export function settleResults(request: BatchRequest, step: UpstreamStep): Promise<boolean> {
  return step.provider.readResults(request, async (result) => {
    await settleResult(result, step);
    return true;
  });
}

async function settleResult(
  { name, answer }: BatchResult,
  { batch, steps, context: { native, lines } }: UpstreamStep,
): Promise<void> {
  const place = readLineName(name);
  const line = place && (await native.upstream.findLine(batch, place.line, place.requestId));
  // Nobody is charged for what nobody of ours has asked.
  if (!line) return lines.inc({ outcome: 'unknown' });
  if (!line.isOpen) return;
  if (!answer) return steps.free(line);
  await steps.settle(line, answer.status, await stringifyInSlices(answer.body, setImmediate));
}
