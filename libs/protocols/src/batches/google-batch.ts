import { omitUndefined } from '@mg/contract';
import type { z } from 'zod';
import type { ShownBatch } from './batch.js';
import type { googleBatch } from './google-batch-schema.js';
import { openMember } from './open-member.js';
import { RPC_CODES } from './rpc-codes.js';

const TYPES = 'type.googleapis.com/google.ai.generativelanguage.v1main';

const STATES = {
  validating: 'BATCH_STATE_PENDING',
  in_progress: 'BATCH_STATE_RUNNING',
  cancelling: 'BATCH_STATE_RUNNING',
  finalizing: 'BATCH_STATE_RUNNING',
  completed: 'BATCH_STATE_SUCCEEDED',
  failed: 'BATCH_STATE_FAILED',
  cancelled: 'BATCH_STATE_CANCELLED',
  expired: 'BATCH_STATE_EXPIRED',
} as const satisfies Record<ShownBatch['state'], string>;

/** A batch in the shape of Google's API, an operation, without its results. */
export function writeGoogleBatch(shown: ShownBatch): z.output<typeof googleBatch> {
  const file = findResponsesFile(shown);
  const metadata = { ...writeMetadata(shown), ...omitUndefined({ output: file }) };
  const { name } = metadata;
  if (!shown.endedAt) return { name, metadata };
  const { error, response } = writeEnd(shown);
  return {
    name,
    metadata,
    done: true,
    ...omitUndefined({ error, response: response && { ...response, ...file } }),
  };
}

/** Whether the requests of a batch came in a file, and its results go into one. */
export function isFiled({ details }: Pick<ShownBatch, 'details'>): boolean {
  return typeof details.input_file_id === 'string';
}

function findResponsesFile(shown: ShownBatch): { readonly responsesFile: string } | undefined {
  const { outputFileId } = shown;
  return isFiled(shown) && outputFileId !== undefined
    ? { responsesFile: `files/${outputFileId}` }
    : undefined;
}

/**
 * The texts between which the results of a batch that has ended stand, each time all of them: as a list of JSON without its
 * brackets. Google's SDKs read them in the metadata, its documentation in the response, which only a completed batch has.
 */
export function frameGoogleBatch(shown: ShownBatch): readonly string[] {
  const metadata = writeMetadata(shown);
  const before = `{"name":${JSON.stringify(metadata.name)},"metadata":${openMember(metadata, 'output')}${OPEN_RESULTS}`;
  const { error, response } = writeEnd(shown);
  if (!response) return [before, `${CLOSE_RESULTS}}},"done":true,"error":${JSON.stringify(error)}}`];
  const { '@type': type } = response;
  return [
    before,
    `${CLOSE_RESULTS}}},"done":true,"response":${openMember({ '@type': type }, 'inlinedResponses')}{"inlinedResponses":[`,
    `]}}}`,
  ];
}

const OPEN_RESULTS = '{"inlinedResponses":{"inlinedResponses":[';
const CLOSE_RESULTS = ']}';

function writeMetadata({ id, endpoint, details, state, counts, ...moments }: ShownBatch) {
  const { createdAt, inProgressAt, cancellingAt, finalizingAt, endedAt } = moments;
  const { total, succeeded, failed, cancelled, expired } = counts;
  const undone = failed + cancelled + expired;
  return omitUndefined({
    '@type': `${TYPES}.${nameKind(endpoint)}`,
    name: `batches/${id}`,
    model: `models/${String(details.model)}`,
    displayName: typeof details.displayName === 'string' ? details.displayName : undefined,
    state: STATES[state],
    createTime: createdAt.toISOString(),
    updateTime: (endedAt ?? finalizingAt ?? cancellingAt ?? inProgressAt ?? createdAt).toISOString(),
    endTime: endedAt?.toISOString(),
    batchStats: {
      requestCount: String(total),
      pendingRequestCount: String(total - succeeded - undone),
      successfulRequestCount: String(succeeded),
      failedRequestCount: String(undone),
    },
  });
}

/** How a batch ended: an operation has either an error or a response. */
function writeEnd({ endpoint, state, errors }: ShownBatch): {
  readonly error?: { readonly code: number; readonly message: string };
  readonly response?: { readonly '@type': string };
} {
  if (state === 'completed') return { response: { '@type': `${TYPES}.${nameKind(endpoint)}Output` } };
  if (state === 'expired') return { error: { code: RPC_CODES.late, message: 'The batch expired.' } };
  if (state === 'failed') return { error: { code: RPC_CODES.invalid, message: tellFaults(errors) } };
  return { error: { code: RPC_CODES.cancelled, message: 'The batch was cancelled.' } };
}

/** What is wrong with a file, in one text. */
function tellFaults(errors: ShownBatch['errors'] = []): string {
  const told = errors.map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`));
  return told.length === 0 ? 'The batch failed.' : told.join(' ');
}

function nameKind(endpoint: string): string {
  return endpoint.endsWith(':embedContent') ? 'EmbedContentBatch' : 'GenerateContentBatch';
}
