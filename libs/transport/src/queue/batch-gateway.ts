import { setImmediate } from 'node:timers/promises';
import { joinInSlices, omitUndefined } from '@mg/contract';
import type { RedisScope } from '../access/redis-scope.js';
import { type Agent, type Dispatcher, request } from 'undici';
import { createAgent } from '../create-agent.js';
import { BATCH_LINE_HEADER, type BatchLinePayer, signBatchLine } from './batch-line.js';
import {
  nameSignedPath,
  NATIVE_OUTCOME_HEADER,
  NATIVE_STEP_HEADER,
  type NativeOutcome,
  type NativeStep,
} from './native-step.js';

/** A line on its way to the gateway. */
export interface BatchCall {
  readonly payer: BatchLinePayer;
  readonly path: string;
  /** The same for every try: a line that was answered once is answered the same, and charged once. */
  readonly idempotencyKey: string;
  readonly body: string | Buffer;
  /** What the caller of the batch said beside it. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is to be done with a line that a provider carries out; left out where the gateway answers it. */
  readonly step?: NativeStep;
}

/** What the gateway answered. */
export interface BatchAnswer {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** `undefined` where it was longer than is kept. */
  readonly bytes: Buffer | undefined;
  /** What came of preparing a line for a provider. */
  readonly native?: NativeOutcome | undefined;
}

/** An answer that is kept in a batch. */
export const MAX_BATCH_ANSWER_BYTES = 16 * 1024 * 1024;
/** Longer than the gateway waits for a call of the same Idempotency-Key. */
const WITHIN_MS = 60 * 60 * 1_000;

/** The gateway as workers reach it: each line of a batch is a call of its own there. */
export class BatchGateway {
  readonly #redis: Pick<RedisScope, 'digest'>;
  readonly #url: string;
  readonly #agent: Agent;

  /** @param url address of the gateway plane. */
  constructor(redis: Pick<RedisScope, 'digest'>, url: string, connections: number) {
    this.#redis = redis;
    this.#url = url.replace(/\/+$/, '');
    this.#agent = createAgent({ connections, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** @throws Error when no whole answer came: whether the call was made is not known. */
  async send(call: BatchCall, signal: AbortSignal): Promise<BatchAnswer> {
    const { payer, path, idempotencyKey, body } = call;
    const step = call.step && JSON.stringify(call.step);
    const signed = { path: nameSignedPath(path, step), idempotencyKey };
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(this.#url + path, {
      method: 'POST',
      headers: {
        ...call.headers,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        [BATCH_LINE_HEADER]: signBatchLine(this.#redis, payer, signed),
        ...omitUndefined({ [NATIVE_STEP_HEADER]: step }),
      },
      body,
      dispatcher: this.#agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
    });
    const requestId = headers['x-request-id'];
    const native = headers[NATIVE_OUTCOME_HEADER];
    return {
      status: statusCode,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      retryAfterSeconds: readSeconds(headers['retry-after']),
      bytes: await readBytes(answer),
      native: typeof native === 'string' ? (JSON.parse(native) as NativeOutcome) : undefined,
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function readSeconds(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

async function readBytes(body: Dispatcher.ResponseData['body']): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BATCH_ANSWER_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > MAX_BATCH_ANSWER_BYTES ? undefined : joinInSlices(chunks, setImmediate);
}
