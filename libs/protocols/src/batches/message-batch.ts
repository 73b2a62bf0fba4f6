import type { z } from 'zod';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import type { BatchLine, LineAnswer, ShownBatch, Unanswered } from './batch.js';
import { type messageBatch, messageBatchRequest } from './message-batch-schema.js';

/**
 * Reads the body of `POST /v1/messages/batches`: what each request is known by, and its body as JSON.
 *
 * @param pause is waited for now and then.
 * @throws GatewayError `invalid_request` naming the field.
 */
export async function readMessageBatch(
  body: JsonObject,
  pause: () => Promise<void>,
): Promise<{ readonly tag: string; readonly body: string }[]> {
  const { requests } = validate(messageBatchRequest, body);
  const names = new Set<string>();
  const lines: { tag: string; body: string }[] = [];
  for (const [at, { custom_id: tag, params }] of requests.entries()) {
    if (names.has(tag)) refuseField(`requests[${at}].custom_id`, 'is that of another request too');
    if (params.stream === true) refuseField(`requests[${at}].params.stream`, 'must be false in a batch');
    names.add(tag);
    if (at % PAUSE_EVERY === 0) await pause();
    lines.push({ tag, body: JSON.stringify(params) });
  }
  return lines;
}

const PAUSE_EVERY = 50;

/**
 * A batch in the shape of Anthropic's API.
 *
 * @param resultsUrl where its results are, once it has ended.
 */
export function writeMessageBatch(shown: ShownBatch, resultsUrl: string): z.output<typeof messageBatch> {
  const { counts, endedAt, cancellingAt } = shown;
  const { total, succeeded, failed, cancelled, expired } = counts;
  const underWay = cancellingAt ? 'canceling' : 'in_progress';
  return {
    id: shown.id,
    type: 'message_batch',
    processing_status: endedAt ? 'ended' : underWay,
    request_counts: {
      processing: total - succeeded - failed - cancelled - expired,
      succeeded,
      errored: failed,
      canceled: cancelled,
      expired,
    },
    created_at: shown.createdAt.toISOString(),
    expires_at: shown.expiresAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    cancel_initiated_at: cancellingAt?.toISOString() ?? null,
    archived_at: null,
    results_url: endedAt && shown.outputFileId ? resultsUrl : null,
  };
}

/** A request that was answered, as it stands in the results. */
export function writeMessageResult({ tag }: BatchLine, { status, body }: LineAnswer): string {
  const result =
    status >= 200 && status < 300
      ? { type: 'succeeded', message: body }
      : { type: 'errored', error: { ...(isObject(body) ? body : {}), type: 'error' } };
  return JSON.stringify({ custom_id: tag, result });
}

const UNANSWERED: Readonly<Record<Unanswered, object>> = {
  cancelled: { type: 'canceled' },
  expired: { type: 'expired' },
  unreadable: {
    type: 'errored',
    error: {
      type: 'error',
      error: { type: 'api_error', message: 'This request cannot be decrypted any more.' },
    },
  },
};

/** A request that was never answered, as it stands in the results. */
export function writeMessageUnanswered({ tag }: BatchLine, why: Unanswered): string {
  return JSON.stringify({ custom_id: tag, result: UNANSWERED[why] });
}
