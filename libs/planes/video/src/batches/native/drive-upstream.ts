import type { UpstreamBatch } from '@mg/persistence/video';
import { findOwnBatches } from '@mg/providers';
import type { BatchContext } from '../batch-context.js';
import { createUpstream, findCreated } from './create-upstream.js';
import { freeAll, loseAll, type Next } from './end-upstream.js';
import { LineSteps } from './line-steps.js';
import { pollUpstream } from './poll-upstream.js';
import { ProviderClient } from './provider-client.js';

/** Lines gather for so long at most while others of their batch are still to come. */
const GATHERING_SECONDS = 120;
const LOOK_SECONDS = 1;
/** After the day of its batch, results are waited for this long. */
const OVERDUE_SECONDS = 60 * 60;
/** What a key is answered that is of another account, or of none. */
const UNKNOWN = new Set([401, 403, 404]);

/**
 * Takes the one step of a provider's batch that its state asks for.
 *
 * @throws Error where it is to be taken again later.
 */
export async function driveUpstream(
  batch: UpstreamBatch,
  context: BatchContext,
  signal: AbortSignal,
): Promise<Next> {
  const steps = new LineSteps(batch, context, signal);
  const provider = await findProviderClient(batch, context);
  const { parent, state } = batch;
  if (state === 'gathering' || state === 'uploading') {
    if (!provider || !parent.isOpen)
      return freeAll(batch, provider ? 'called_off' : 'refused', steps, context);
    const isWaiting = state === 'gathering' && parent.isGathering && batch.ageSeconds < GATHERING_SECONDS;
    return isWaiting ? { seconds: LOOK_SECONDS } : createUpstream({ batch, context, steps, provider });
  }
  if (!provider || parent.overdueSeconds > OVERDUE_SECONDS) return loseAll(batch, steps, context);
  const step = { batch, context, steps, provider };
  return state === 'creating' ? findCreated(step) : pollUpstream(step);
}

/**
 * The channel and the key that the batch belongs to. Where that key is gone, another one of the same account has the batch, too.
 * `undefined` where none has.
 *
 * @throws UpstreamFailure
 */
async function findProviderClient(
  { channelId, keyFingerprint, upstreamId }: UpstreamBatch,
  { native }: BatchContext,
): Promise<ProviderClient | undefined> {
  const channel = await native.findChannel(channelId);
  const own = channel && findOwnBatches(channel);
  if (!channel || !own) return undefined;
  const openBy = (fingerprint: string) => {
    const headers = own.authorize(fingerprint);
    const isEnabled = own.enabledKeys.includes(fingerprint);
    return headers && new ProviderClient(native.http, channel, own, { headers, isEnabled });
  };
  const client = openBy(keyFingerprint);
  if (client || upstreamId === undefined) return client;
  for (const fingerprint of own.enabledKeys) {
    const other = openBy(fingerprint);
    if (other && !UNKNOWN.has((await other.retrieve(upstreamId)).status)) return other;
  }
  return undefined;
}
