import { isObject, parseObject } from '../json.js';
import type { BatchLine, LineAnswer, Unanswered } from './batch.js';
import { RPC_CODES } from './rpc-codes.js';

const CODES_OF_STATUSES: Readonly<Record<number, number>> = {
  400: RPC_CODES.invalid,
  401: RPC_CODES.unauthenticated,
  402: RPC_CODES.precondition,
  403: RPC_CODES.denied,
  404: RPC_CODES.notFound,
  409: RPC_CODES.aborted,
  413: RPC_CODES.invalid,
  429: RPC_CODES.exhausted,
  500: RPC_CODES.internal,
  502: RPC_CODES.internal,
  503: RPC_CODES.unavailable,
};

/** A request that was answered, as it stands in the results. */
export function writeGoogleResult(
  { tag }: BatchLine,
  { status, requestId, body }: LineAnswer,
): readonly Buffer[] {
  if (status >= 200 && status < 300) {
    const named = JSON.stringify(nameTag(tag)).slice(1, -1);
    return [Buffer.from('{"response":'), body, Buffer.from(named === '' ? '}' : `,${named}}`)];
  }
  const parsed = parseObject(body.toString());
  const error = isObject(parsed?.error) ? parsed.error : {};
  const result = JSON.stringify({
    error: {
      code: CODES_OF_STATUSES[status] ?? RPC_CODES.unknown,
      message: typeof error.message === 'string' ? error.message : 'The request failed.',
      details: requestId === undefined ? undefined : [{ '@type': REQUEST_INFO, requestId }],
    },
    ...nameTag(tag),
  });
  return [Buffer.from(result)];
}

/** Requests of a file have a key; others have what their caller says of them, an object. */
function nameTag(tag: unknown): object {
  if (tag === undefined || tag === null) return {};
  return typeof tag === 'string' ? { key: tag } : { metadata: tag };
}

/** @see https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto */
const REQUEST_INFO = 'type.googleapis.com/google.rpc.RequestInfo';

const WHY_UNANSWERED: Readonly<Record<Unanswered, { readonly code: number; readonly message: string }>> = {
  cancelled: {
    code: RPC_CODES.cancelled,
    message: 'This request was not executed: the batch was cancelled.',
  },
  expired: { code: RPC_CODES.late, message: 'This request could not be executed before the batch expired.' },
  unreadable: { code: RPC_CODES.internal, message: 'This request cannot be decrypted any more.' },
};

/** A request that was never answered, as it stands in the results. */
export function writeGoogleUnanswered({ tag }: BatchLine, why: Unanswered): string {
  return JSON.stringify({ error: WHY_UNANSWERED[why], ...nameTag(tag) });
}
