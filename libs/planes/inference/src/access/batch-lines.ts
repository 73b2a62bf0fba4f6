import {
  BATCH_LINE_HEADER,
  type BatchLinePayer,
  nameSignedPath,
  NATIVE_STEP_HEADER,
  type NativeStep,
  openBatchLine,
  type RedisScope,
} from '@mg/transport';
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
    const path = nameSignedPath(url, readStepText({ headers }));
    return openBatchLine(this.#redis, header, { path, idempotencyKey });
  }
}

/** What a worker wants done with a line that a provider carries out. Only of requests whose line was opened: it is signed. */
export function readNativeStep(request: Pick<FastifyRequest, 'headers'>): NativeStep | undefined {
  if (request.headers[BATCH_LINE_HEADER] === undefined) return undefined;
  const text = readStepText(request);
  return text === undefined ? undefined : (JSON.parse(text) as NativeStep);
}

function readStepText({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const text = headers[NATIVE_STEP_HEADER];
  return typeof text === 'string' ? text : undefined;
}
