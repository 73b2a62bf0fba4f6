import { isSame, type RedisScope } from '../access/redis-scope.js';

/** What a worker says on whose behalf it sends a line of a batch, in the place of an API key. */
export const BATCH_LINE_HEADER = 'x-gateway-batch-line';

const PURPOSE = 'batch-line';
/** From when a line is sent until a gateway has its headers. */
const GOOD_FOR_MS = 60_000;
const TICKET = /^(\d{1,16})\.([0-9a-f]{64})\.([0-9a-f-]{36})\.([\w-]{43})$/;

/** Who pays for a line. */
export interface BatchLinePayer {
  /** Of the key that created the batch. */
  readonly keyHash: string;
  readonly walletId: string;
}

/** The header of a line: good for one path and one Idempotency-Key, for a minute. */
export function signBatchLine(
  redis: Pick<RedisScope, 'digest'>,
  { keyHash, walletId }: BatchLinePayer,
  call: { readonly path: string; readonly idempotencyKey: string },
  nowMs = Date.now(),
): string {
  const facts = [String(nowMs), keyHash, walletId];
  return [...facts, redis.digest(PURPOSE, ...facts, call.path, call.idempotencyKey)].join('.');
}

/** Who pays for a line; `undefined` for a header that no worker of this installation has signed just now for this call. */
export function openBatchLine(
  redis: Pick<RedisScope, 'digest'>,
  header: string,
  call: { readonly path: string; readonly idempotencyKey: string },
  nowMs = Date.now(),
): BatchLinePayer | undefined {
  const [, sentAt = '', keyHash = '', walletId = '', digest = ''] = TICKET.exec(header) ?? [];
  const expected = redis.digest(PURPOSE, sentAt, keyHash, walletId, call.path, call.idempotencyKey);
  if (sentAt === '' || !isSame(digest, expected)) return undefined;
  return Math.abs(nowMs - Number(sentAt)) <= GOOD_FOR_MS ? { keyHash, walletId } : undefined;
}
