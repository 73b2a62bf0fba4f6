import { omitUndefined } from '@mg/contract';
import type { z } from 'zod';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { readObjectInSlices } from '../strict-json/read-object-in-slices.js';
import { stringifyInSlices } from '../strict-json/stringify-in-slices.js';
import { toUnixSeconds } from '../video/task-answer.js';
import { openMember } from './open-member.js';
import {
  type BatchLine,
  type LineAnswer,
  type ReadLine,
  refuseLine,
  type ShownBatch,
  type Unanswered,
} from './batch.js';
import { type batch, batchRequest } from './batch-schema.js';

/** Longest `custom_id`, in characters. */
const MAX_CUSTOM_ID = 512;

/** A batch as a caller of OpenAI's API orders it. */
export interface OpenAiBatchOrder {
  readonly inputFileId: string;
  readonly endpoint: string;
  /** What is shown with the batch. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Reads the body of `POST /v1/batches`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readOpenAiBatch(body: JsonObject): OpenAiBatchOrder {
  const { input_file_id, endpoint, completion_window, metadata, output_expires_after } = validate(
    batchRequest,
    body,
  );
  return {
    inputFileId: input_file_id,
    endpoint,
    details: omitUndefined({
      input_file_id,
      completion_window,
      metadata: metadata ?? null,
      output_expires_seconds: output_expires_after ? output_expires_after.seconds : undefined,
    }),
  };
}

/** A batch in the shape of OpenAI's API. */
export function writeOpenAiBatch(shown: ShownBatch): z.output<typeof batch> {
  const { details, counts, errors, endedAt } = shown;
  // A batch that was called off is finished like every other; its caller is told of nothing but that it is called off.
  const state = shown.state === 'finalizing' && shown.cancellingAt ? 'cancelling' : shown.state;
  const endIn = (wanted: ShownBatch['state']) => (state === wanted ? toSeconds(endedAt) : null);
  return {
    id: shown.id,
    object: 'batch',
    endpoint: shown.endpoint,
    errors: errors ? { object: 'list', data: errors.map((fault) => ({ ...fault })) } : null,
    input_file_id: String(details.input_file_id),
    completion_window: String(details.completion_window),
    status: state,
    output_file_id: shown.outputFileId ?? null,
    error_file_id: shown.errorFileId ?? null,
    created_at: toUnixSeconds(shown.createdAt.getTime()),
    in_progress_at: toSeconds(shown.inProgressAt),
    expires_at: toSeconds(shown.expiresAt),
    finalizing_at: toSeconds(shown.finalizingAt),
    completed_at: endIn('completed'),
    failed_at: endIn('failed'),
    expired_at: endIn('expired'),
    cancelling_at: toSeconds(shown.cancellingAt),
    cancelled_at: endIn('cancelled'),
    request_counts: {
      total: counts.total,
      completed: counts.succeeded,
      failed: counts.failed + counts.cancelled + counts.expired,
    },
    metadata: (details.metadata ?? null) as Record<string, string> | null,
  };
}

function toSeconds(moment: Date | undefined): number | null {
  return moment ? toUnixSeconds(moment.getTime()) : null;
}

/**
 * Reads a line of the file of a batch: `{"custom_id": "...", "method": "POST", "url": "...", "body": {...}}`.
 *
 * @param pause is waited for now and then.
 */
export async function readOpenAiLine(
  text: Buffer,
  endpoint: string,
  pause: () => Promise<void>,
): Promise<ReadLine> {
  const line = await readObjectInSlices(text, pause);
  if (!line)
    return refuseLine(
      'invalid_json_line',
      'This line is no JSON object, or holds more than a request may.',
      null,
    );
  const { custom_id: tag, method, url, body } = line;
  if (typeof tag !== 'string' || tag === '' || tag.length > MAX_CUSTOM_ID) {
    const message = `custom_id must be a string of 1 to ${MAX_CUSTOM_ID} characters.`;
    return refuseLine('invalid_custom_id', message, 'custom_id');
  }
  if (method !== 'POST') return refuseLine('invalid_method', 'method must be POST.', 'method');
  if (url !== endpoint) {
    return refuseLine('mismatched_endpoint', `url must be that of the batch, ${endpoint}.`, 'url');
  }
  if (!isObject(body)) return refuseLine('missing_required_parameter', 'body must be an object.', 'body');
  if (body.stream === true)
    return refuseLine('invalid_request', 'stream must be false in a batch.', 'body.stream');
  return { tag, body: await stringifyInSlices(body, pause) };
}

/** A line that was answered, as it stands in the output file or in the error file. */
export function writeOpenAiResult(
  line: BatchLine,
  { status, requestId, body }: LineAnswer,
): readonly Buffer[] {
  const response = { status_code: status, request_id: requestId ?? null };
  const before = openMember({ id: nameResult(line), custom_id: line.tag }, 'response');
  return [Buffer.from(before + openMember(response, 'body')), body, Buffer.from('},"error":null}')];
}

const WHY_UNANSWERED: Readonly<Record<Unanswered, { readonly code: string; readonly message: string }>> = {
  cancelled: { code: 'batch_cancelled', message: 'This request was not executed: the batch was cancelled.' },
  expired: {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  },
  unreadable: {
    code: 'server_error',
    message: 'This request cannot be decrypted any more: the key of the installation was changed.',
  },
};

/** A line that was never answered, as it stands in the error file. */
export function writeOpenAiUnanswered(line: BatchLine, why: Unanswered): string {
  return JSON.stringify({
    id: nameResult(line),
    custom_id: line.tag,
    response: null,
    error: WHY_UNANSWERED[why],
  });
}

function nameResult({ batchId, line }: BatchLine): string {
  return `batch_req_${batchId.replace(/^batch_/, '')}_${line}`;
}
