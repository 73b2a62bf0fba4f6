import { durationSchema, GatewayError, MAX_TIMEOUT_MS } from '@mg/contract';
import type { StoredReply } from '@mg/persistence/gateway';
import type { FastifyRequest } from 'fastify';
import { nameRequestBody } from '../cache/name-request.js';
import type { ClientConnection } from '../edge/client-connection.js';
import { nameRequest } from '../edge/find-dialect.js';
import type { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import type { Operation, ReceivedBody } from './operation.js';

const HEADER = 'x-gateway-cache';
/** Longer answers are not kept. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A call that may be answered by what an equal one was answered. */
interface CachedCall {
  readonly request: Pick<FastifyRequest, 'headers'>;
  readonly body: ReceivedBody;
  readonly record: CallRecord;
  readonly client: ClientConnection;
}

/** What the cache can do for a call. */
export interface CachedAnswer {
  /** Sends the answer of an equal call; absent where there is none. */
  readonly replay?: () => void;
  /** Keeps the answer that was sent, if it is whole. */
  keepAnswer(): void;
}

/**
 * Looks for the answer of an equal call of the wallet, where the caller asked for that.
 *
 * @returns `undefined` where nothing of the call is kept.
 * @throws GatewayError `invalid_request` for a header that is no duration.
 */
export function findInCache(
  operation: Pick<Operation, 'stream' | 'framing' | 'model' | 'dialect'>,
  call: CachedCall,
  gateway: Pick<GatewayContext, 'cache'>,
): CachedAnswer | undefined {
  const asked = call.request.headers[HEADER];
  if (asked === undefined || asked === 'off') return undefined;
  const forMs = readDuration(String(asked));
  const { record, client } = call;
  const { stream, framing, model } = operation;
  const { headers } = call.request;
  const facts = {
    walletId: record.caller.walletId,
    endpoint: record.endpoint,
    // Two keys of a wallet may have other models behind one name.
    model: `${record.model} ${model}`,
    stream,
    framing,
    headers,
  };
  const name = Buffer.isBuffer(call.body) ? nameRequestBody(call.body, facts) : undefined;
  record.cache = 'miss';
  if (name === undefined) return undefined;
  const reply = gateway.cache.find(name, forMs);
  if (reply) {
    return { replay: () => replay(reply, operation, record, client), keepAnswer: () => undefined };
  }
  client.keepCopy(MAX_ANSWER_BYTES);
  const keepAnswer = () => {
    const kept = record.reason === 'completed' ? client.takeKept() : undefined;
    if (kept && kept.body.length <= MAX_ANSWER_BYTES) gateway.cache.keep(name, kept, forMs);
  };
  return { keepAnswer };
}

function readDuration(text: string): number {
  const read = durationSchema.safeParse(text);
  if (read.success && read.data > 0 && read.data <= MAX_TIMEOUT_MS) return read.data;
  throw new GatewayError(
    'invalid_request',
    `${HEADER} must be off, or a duration such as 60s, 24h at most.`,
    {
      param: HEADER,
    },
  );
}

/** Streams are given as streams. Nothing was asked of an upstream, so nothing is charged. */
function replay(
  { headers: kept, body }: StoredReply,
  { stream, dialect }: Pick<Operation, 'stream' | 'dialect'>,
  record: CallRecord,
  client: ClientConnection,
): void {
  const { 'content-length': _length, 'x-gateway-channel': _channel, ...headers } = kept;
  record.end('cached');
  record.cache = 'hit';
  const own = {
    ...headers,
    ...nameRequest(dialect, record.requestId),
    'x-gateway-attempts': '0',
    [HEADER]: 'hit',
  };
  if (!stream) {
    const latency = String(record.answerLatencyMs());
    client.send({ ...own, 'x-gateway-cost': '0', 'x-gateway-latency-ms': latency }, body);
    return;
  }
  record.ttftMs = record.elapsedMs();
  client.openStream(own);
  client.endStream(body);
}
