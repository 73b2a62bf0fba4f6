import type { JobHttpResponse } from '@mg/transport';
import { freeAll, loseAll, type Next, type UpstreamStep } from './end-upstream.js';
import { readComplaint, textOf } from './provider-batches.js';
import { settleResults } from './settle-results.js';

const GONE = 404;
const DONE = 200;
/** A batch is asked for after a second at first, and once a minute when it is old. */
const SHARE_OF_AGE = 1 / 20;
const SLOWEST_SECONDS = 60;
/** States in which a provider has done with a batch and has answers to lines of it. */
const OVER = new Set(['completed', 'expired', 'cancelled']);

/** Asks how a provider's batch goes on: has it cancelled where its caller has cancelled, and settles its results at its end. */
export async function pollUpstream(step: UpstreamStep): Promise<Next> {
  const { batch, context, steps, provider } = step;
  const answer = await provider.retrieve(batch.upstreamId ?? '');
  if (answer.status === GONE) return loseAll(batch, steps, context);
  const status = textOf(answer.json, 'status');
  if (answer.status !== DONE || status === undefined) {
    throw new Error(`a batch was answered with status ${answer.status}`);
  }
  if (OVER.has(status)) return settle(answer, status as 'completed' | 'expired' | 'cancelled', step);
  // It has found fault with the file, and carried out nothing.
  if (status === 'failed') {
    const facts = { batch: batch.batchId, channel: batch.channelId, reason: readComplaint(answer.json) };
    context.logger.warn(facts, 'a provider has found fault with a batch');
    return freeAll(batch, 'failed', steps, context);
  }
  if (!batch.parent.isOpen && !batch.isCancelled) await cancel(step);
  return { seconds: Math.min(Math.max(1, batch.ageSeconds * SHARE_OF_AGE), SLOWEST_SECONDS) };
}

/** Asked once: a batch that is over by then is answered with an error. */
async function cancel({ batch, context, provider }: UpstreamStep): Promise<void> {
  const { status } = await provider.cancel(batch.upstreamId ?? '');
  if (status >= 500) throw new Error(`a cancellation was answered with status ${status}`);
  await context.native.upstream.noteCancelled(batch.id);
}

async function settle(
  { json }: JobHttpResponse,
  status: 'completed' | 'expired' | 'cancelled',
  step: UpstreamStep,
): Promise<Next> {
  const { batch, context, steps, provider } = step;
  let isWhole = true;
  for (const name of ['output_file_id', 'error_file_id']) {
    const fileId = textOf(json, name);
    if (fileId !== undefined)
      isWhole = (await settleResults(fileId, batch, provider, steps, context)) && isWhole;
  }
  // What a completed batch says nothing of, or what stood in a file that is gone, may have been carried out.
  if (status === 'completed' || !isWhole) {
    return loseAll(batch, steps, context, isWhole ? status : 'lost');
  }
  return freeAll(batch, status, steps, context);
}
