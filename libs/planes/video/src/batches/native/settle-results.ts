import { setImmediate } from 'node:timers/promises';
import { stringifyInSlices } from '@mg/protocols';
import type { BatchRequest, BatchResult } from '@mg/providers';
import type { UpstreamStep } from './end-upstream.js';
import { forSeveralAtOnce } from './lines-at-once.js';
import { readLineName } from './name-line.js';
import { MAX_RESULT_BYTES } from './provider-client.js';

/**
 * Reads results as they come in, and settles the lines that they are about, several at once and in whatever order. Of two results
 * of one line the first counts.
 *
 * @returns whether there are such results.
 * @throws UpstreamFailure, GatewayAway: they are to be read again from the beginning.
 */
export async function settleResults(request: BatchRequest, step: UpstreamStep): Promise<boolean> {
  const { provider } = step;
  const results = await provider.openResults(request);
  if (!results) return false;
  const begun = new Set<unknown>();
  const settle = async (text: Buffer) => {
    const result = await provider.readResult(text);
    if (!result || begun.has(result.name)) return;
    begun.add(result.name);
    await settleResult(result, step).finally(() => begun.delete(result.name));
  };
  await forSeveralAtOnce(results, settle, { of: ({ length }) => length, most: MAX_RESULT_BYTES });
  return true;
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
