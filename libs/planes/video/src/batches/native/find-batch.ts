import type { BatchOrder, BatchRequest } from '@mg/providers';
import type { UpstreamStep } from './end-upstream.js';
import { readLineName } from './name-line.js';

/** Batches that may be ours and are asked for one by one. */
const MOST_CANDIDATES = 50;

/**
 * The id of a batch whose creation was not heard of. `unclear` while there is one that may be it: a provider that keeps no name
 * tells it by its results alone, at its end.
 *
 * @param seconds since it was about to be created.
 * @throws Error where it cannot be found out now.
 */
export async function findBatch(
  order: BatchOrder,
  seconds: number,
  step: UpstreamStep,
): Promise<string | 'unclear' | undefined> {
  const { id, candidates } = await step.provider.find(order, seconds);
  if (id !== undefined || candidates.length === 0) return id;
  const unknown = await step.context.native.upstream.listUnknown(candidates);
  let isUnclear = unknown.length > MOST_CANDIDATES;
  for (const candidate of unknown.slice(0, MOST_CANDIDATES)) {
    const isOurs = await readWhose(candidate, step);
    if (isOurs) return candidate;
    isUnclear ||= isOurs === undefined;
  }
  return isUnclear ? 'unclear' : undefined;
}

/** Whether a batch is the one of this step; `undefined` while nobody knows. */
async function readWhose(upstreamId: string, step: UpstreamStep): Promise<boolean | undefined> {
  const { provider } = step;
  const { json } = await provider.retrieve(upstreamId);
  const progress = json && provider.surface.readProgress(json);
  if (progress?.kind !== 'ended') return undefined;
  for (const results of progress.results) {
    const isOurs = await readFirst(results, step);
    if (isOurs !== undefined) return isOurs;
  }
  return undefined;
}

/** Whether the first of these results is of one of our lines; `undefined` where there is none. */
async function readFirst(
  request: BatchRequest,
  { provider, batch, context }: UpstreamStep,
): Promise<boolean | undefined> {
  for await (const text of (await provider.openResults(request)) ?? []) {
    const result = await provider.readResult(text);
    if (!result) continue;
    const line = readLineName(result.name);
    if (!line) return false;
    return (await context.native.upstream.findLine(batch, line.line, line.requestId)) !== undefined;
  }
  return undefined;
}
