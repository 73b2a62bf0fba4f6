import type { UpstreamBatch, UpstreamLine, UpstreamOutcome } from '@mg/persistence/video';
import type { BatchContext } from '../batch-context.js';
import type { LineSteps } from './line-steps.js';
import { forSeveralAtOnce } from './lines-at-once.js';
import type { ProviderClient } from './provider-client.js';

/** When the next step is due, or that there is none. */
export type Next = { readonly seconds: number } | 'ended';

/** What the steps of a provider's batch work with. */
export interface UpstreamStep {
  readonly batch: UpstreamBatch;
  readonly context: BatchContext;
  readonly steps: LineSteps;
  readonly provider: ProviderClient;
}

/** Gives all lines back that the provider has not carried out, and ends the batch. */
export async function freeAll(
  batch: UpstreamBatch,
  outcome: UpstreamOutcome,
  steps: LineSteps,
  context: BatchContext,
): Promise<Next> {
  await forSeveralAtOnce(openLines(batch, context), (line) => steps.free(line));
  return endUpstream(batch, outcome, context);
}

/** Ends a batch of which nobody knows what became of its lines. None of them is sent again: it could be paid for twice. */
export async function loseAll(
  batch: UpstreamBatch,
  steps: LineSteps,
  context: BatchContext,
  outcome: UpstreamOutcome = 'lost',
): Promise<Next> {
  await forSeveralAtOnce(openLines(batch, context), (line) => steps.lose(line));
  return endUpstream(batch, outcome, context);
}

export async function endUpstream(
  batch: UpstreamBatch,
  outcome: UpstreamOutcome,
  { native, logger }: BatchContext,
): Promise<Next> {
  await native.upstream.end(batch, outcome);
  const level = outcome === 'completed' || outcome === 'called_off' ? 'info' : 'warn';
  logger[level](
    { batch: batch.batchId, channel: batch.channelId, upstream_batch: batch.upstreamId, outcome },
    "a provider's batch has ended",
  );
  return 'ended';
}

/** Lines without a result, in their order. */
export async function* openLines(
  batch: UpstreamBatch,
  { native }: BatchContext,
): AsyncGenerator<UpstreamLine> {
  let after = 0;
  for (;;) {
    const lines = await native.upstream.listLines(batch, after);
    yield* lines;
    const last = lines.at(-1);
    if (!last) return;
    after = last.line;
  }
}
