import type { z } from 'zod';
import { needItems } from '../canonical/check-fields.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject, keepIntegers, parseObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { stringifyInSlices } from '../strict-json/stringify-in-slices.js';
import type { BatchLine, LineAnswer, ShownBatch, Unanswered } from './batch.js';
import { MAX_LINE_BYTES } from './line-limits.js';
import { LineTurns } from './line-turns.js';
import { openMember } from './open-member.js';
import {
  CUSTOM_ID,
  MAX_MESSAGE_REQUESTS,
  type messageBatch,
  messageBatchRequest,
} from './message-batch-schema.js';

/**
 * Reads the body of `POST /v1/messages/batches`: what each request is known by, and its body as JSON.
 *
 * @param pause is waited for now and then.
 * @throws GatewayError `invalid_request` naming the field.
 */
export async function readMessageBatch(
  body: Buffer,
  pause: () => Promise<void>,
): Promise<{ readonly tag: string; readonly body: Buffer }[]> {
  const { requests } = validate(messageBatchRequest, keepIntegers(body, parseRequestBody(body)));
  const names = new Set<string>();
  const lines: { tag: string; body: Buffer }[] = [];
  const turns = new LineTurns(pause);
  for (const [at, request] of needItems(requests, 'requests', MAX_MESSAGE_REQUESTS).entries()) {
    await turns.next();
    const { tag, params } = readRequest(request, `requests[${at}]`);
    if (names.has(tag)) refuseField(`requests[${at}].custom_id`, 'is that of another request too');
    names.add(tag);
    const bytes = await stringifyInSlices(params, pause);
    turns.count(bytes.length);
    if (bytes.length > MAX_LINE_BYTES) {
      refuseField(`requests[${at}].params`, `must hold at most ${MAX_LINE_BYTES} bytes`);
    }
    lines.push({ tag, body: bytes });
  }
  return lines;
}

function readRequest(request: unknown, name: string): { tag: string; params: JsonObject } {
  if (!isObject(request)) return refuseField(name, 'must be an object');
  const { custom_id: tag, params } = request;
  if (typeof tag !== 'string' || !CUSTOM_ID.test(tag)) {
    return refuseField(`${name}.custom_id`, 'must have 1 to 64 letters, digits, _ and -');
  }
  if (!isObject(params)) return refuseField(`${name}.params`, 'must be an object');
  if (params.stream === true) refuseField(`${name}.params.stream`, 'must be false in a batch');
  return { tag, params };
}

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
export function writeMessageResult({ tag }: BatchLine, { status, body }: LineAnswer): readonly Buffer[] {
  if (status >= 200 && status < 300) {
    const before = `{"custom_id":${JSON.stringify(tag)},"result":${openMember({ type: 'succeeded' }, 'message')}`;
    return [Buffer.from(before), body, Buffer.from('}}')];
  }
  const error = { ...parseObject(body.toString()), type: 'error' };
  return [Buffer.from(JSON.stringify({ custom_id: tag, result: { type: 'errored', error } }))];
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
