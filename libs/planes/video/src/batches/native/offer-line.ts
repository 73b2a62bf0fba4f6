import { LONGEST_BATCH_HOLD_SECONDS, newId } from '@mg/contract';
import type { ClaimedLine, LineRequest } from '@mg/persistence/video';
import type { BatchAnswer, NativeStep, ReleaseStep } from '@mg/transport';
import type { BatchContext } from '../batch-context.js';
import { mayBeNative } from './may-be-native.js';

/** Beyond the day of a batch: until then its provider's results are fetched. */
const AFTER_ITS_DAY_SECONDS = 2 * 60 * 60;
const SHORTEST_HOLD_SECONDS = 60;
const HELD = 200;

/** What came of offering a line: it is not this worker's any more, it is to be made as a call, or what the gateway refused it with. */
export type Offered = 'taken' | 'call' | BatchAnswer;

/**
 * Offers a line to the provider whose channel carries out batches itself. Under each request id a line is held for once: one
 * whose worker was lost meanwhile is released before it is offered anew.
 *
 * @throws Error when the gateway cannot be reached: what it has held is not known.
 */
export async function offerLine(
  line: ClaimedLine,
  request: LineRequest,
  context: BatchContext,
  signal: AbortSignal,
): Promise<Offered> {
  const { upstream } = context.native;
  const { batch } = line;
  const place = { batchId: batch.id, line: line.line };
  const { tokenId } = batch;
  const take = (step: NativeStep) => sendStep(step, line, request, context, signal);
  if (line.requestId === undefined) {
    const { endpoint } = batch;
    if (line.isCall || !mayBeNative({ endpoint, body: request.body }, context.native.catalog()))
      return 'call';
  } else {
    await releaseOffer({ kind: 'release', requestId: line.requestId, tokenId }, take);
    if (!line.isOpen) return upstream.putBack(place).then(() => 'taken');
  }
  const requestId = newId();
  await upstream.noteRequest(place, requestId);
  const busy = await upstream.listBusy(batch.walletId, batch.id);
  const answer = await take({
    kind: 'prepare',
    requestId,
    batchId: batch.id,
    holdSeconds: findHoldSeconds(batch.expiresAt),
    busy,
  });
  const outcome = answer.native;
  if (answer.status !== HELD || !outcome) return answer;
  if (outcome.kind === 'none') return upstream.noteRequest(place, undefined).then(() => 'call');
  if (outcome.kind === 'native' && answer.bytes) {
    const { route, endpoint, hold: held } = outcome;
    const { walletId } = batch;
    if (await upstream.park({ ...place, walletId, route, endpoint, held, bytes: answer.bytes }))
      return 'taken';
    await releaseOffer({ kind: 'release', requestId, tokenId }, take);
  }
  await upstream.waitFor(place, batch.walletId, outcome.route);
  return 'taken';
}

/** @throws Error when it is not known to be released. */
async function releaseOffer(
  step: ReleaseStep,
  take: (step: NativeStep) => Promise<BatchAnswer>,
): Promise<void> {
  const { status } = await take(step);
  if (status >= 300) throw new Error(`the gateway answered a release with status ${status}`);
}

function sendStep(
  step: NativeStep,
  { batch, line }: ClaimedLine,
  { body }: LineRequest,
  { gateway }: BatchContext,
  signal: AbortSignal,
): Promise<BatchAnswer> {
  const { keyHash, walletId, endpoint: path, headers } = batch;
  const idempotencyKey = `${batch.id}.${line}`;
  return gateway.send({ payer: { keyHash, walletId }, path, idempotencyKey, headers, body, step }, signal);
}

function findHoldSeconds(expiresAt: Date): number {
  const left = Math.ceil((expiresAt.getTime() - Date.now()) / 1_000) + AFTER_ITS_DAY_SECONDS;
  return Math.min(Math.max(left, SHORTEST_HOLD_SECONDS), LONGEST_BATCH_HOLD_SECONDS);
}
