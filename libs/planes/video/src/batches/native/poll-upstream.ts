import type { BatchProgress } from '@mg/providers';
import { freeAll, loseAll, type Next, type UpstreamStep } from './end-upstream.js';
import { readComplaint } from './provider-client.js';
import { settleResults } from './settle-results.js';

const GONE = 404;
const DONE = 200;
/** A batch is asked for after a second at first, and once a minute when it is old. */
const SHARE_OF_AGE = 1 / 20;
const SLOWEST_SECONDS = 60;

/** Asks how a provider's batch goes on: has it cancelled where its caller has cancelled, and settles its results at its end. */
export async function pollUpstream(step: UpstreamStep): Promise<Next> {
  const { batch, context, steps, provider } = step;
  const { status, json } = await provider.retrieve(batch.upstreamId ?? '');
  if (status === GONE) return loseAll(batch, steps, context);
  const progress = status === DONE && json ? provider.surface.readProgress(json) : undefined;
  if (!progress) throw new Error(`a batch was answered with status ${status}`);
  if (progress.kind === 'ended') return settle(progress, step);
  // It has found fault with the batch, and carried out nothing.
  if (progress.kind === 'failed') {
    const facts = { batch: batch.batchId, channel: batch.channelId, reason: readComplaint(json) };
    context.logger.warn(facts, 'a provider has found fault with a batch');
    return freeAll(batch, 'failed', steps, context);
  }
  if (!batch.parent.isOpen && !batch.isCancelled && progress.isCancellable) await cancel(step);
  return { seconds: Math.min(Math.max(1, batch.ageSeconds * SHARE_OF_AGE), SLOWEST_SECONDS) };
}

/** Asked once: a batch that is over by then is answered with an error. */
async function cancel({ batch, context, provider }: UpstreamStep): Promise<void> {
  const { status } = await provider.cancel(batch.upstreamId ?? '');
  if (status >= 500) throw new Error(`a cancellation was answered with status ${status}`);
  await context.native.upstream.noteCancelled(batch.id);
}

async function settle(
  { outcome, results, namesAll }: Extract<BatchProgress, { kind: 'ended' }>,
  step: UpstreamStep,
): Promise<Next> {
  const { batch, context, steps } = step;
  let isWhole = true;
  for (const request of results) isWhole = (await settleResults(request, step)) && isWhole;
  // What the results should name and do not, or what stood in results that are gone, may have been carried out.
  if (namesAll || !isWhole) return loseAll(batch, steps, context, isWhole ? outcome : 'lost');
  return freeAll(batch, outcome, steps, context);
}
