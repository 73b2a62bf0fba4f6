import { BATCH_LINE_HEADER, type BatchLinePayer, openBatchLine, type RedisScope } from '@mg/transport';
import type { FastifyRequest } from 'fastify';

/** Knows the lines of batches that workers of this installation send. */
export class BatchLines {
  readonly #redis: Pick<RedisScope, 'digest'>;

  constructor(redis: Pick<RedisScope, 'digest'>) {
    this.#redis = redis;
  }

  /** Who pays for a call that says to be a line; `undefined` where no worker has said so. */
  open({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): BatchLinePayer | undefined {
    const { [BATCH_LINE_HEADER]: header, 'idempotency-key': idempotencyKey } = headers;
    if (typeof header !== 'string' || typeof idempotencyKey !== 'string') return undefined;
    return openBatchLine(this.#redis, header, { path: url, idempotencyKey });
  }
}
