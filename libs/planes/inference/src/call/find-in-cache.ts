import {
  durationSchema,
  GatewayError,
  MAX_TIMEOUT_MS,
  type Model,
  type PinnedPrice,
  priceAt,
} from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { nameRequestBody } from '../cache/name-request.js';
import type { KeptAnswer } from '../cache/response-cache.js';
import type { BodyLease } from '../edge/body-budget.js';
import type { ClientConnection } from '../edge/client-connection.js';
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
  readonly lease: BodyLease;
}

/** An answer that may be given again, the model that gave it, and its price now. */
export interface FoundAnswer extends KeptAnswer {
  readonly by: Model;
  readonly price: PinnedPrice;
}

/** What the cache can do for a call. */
export interface CachedCallState {
  /** The answer of an equal call; absent where there is none. */
  readonly found?: FoundAnswer;
  /** Keeps the answer that was sent, if it is whole. */
  keepAnswer(): Promise<void>;
}

/**
 * Looks for the answer of an equal call of the wallet, where the caller asks for that, or its token does for all of its calls.
 *
 * @returns `undefined` where nothing of the call is kept.
 * @throws GatewayError `invalid_request` for a header that is no duration.
 */
export function findInCache(
  operation: Pick<Operation, 'stream' | 'framing' | 'model' | 'goesOn'>,
  call: CachedCall,
  gateway: Pick<GatewayContext, 'cache' | 'catalog' | 'metrics'>,
): CachedCallState | undefined {
  const { record, client, lease } = call;
  const forMs = readAge(call);
  if (forMs === undefined || operation.goesOn) return undefined;
  const name = nameCall(operation, call);
  record.cache = 'miss';
  if (name === undefined) return undefined;
  const found = findServable(gateway.cache.find(name, forMs), record, gateway);
  gateway.metrics.countCache(record.model, found ? 'hit' : 'miss');
  if (found) return { found, keepAnswer: () => Promise.resolve() };
  client.keepCopy(MAX_ANSWER_BYTES, lease);
  const keepAnswer = async () => {
    const reply = record.reason === 'completed' ? await client.takeKept(MAX_ANSWER_BYTES) : undefined;
    if (!reply) return;
    const { usage, model, caller } = record;
    gateway.cache.keep(name, caller.walletId, { reply, usage, model }, forMs);
  };
  return { keepAnswer };
}

/** How old an answer may be, in milliseconds: what the call says counts, then what its token says. */
function readAge({ request, record }: CachedCall): number | undefined {
  const asked = request.headers[HEADER];
  if (asked === undefined) return record.caller.cacheMs;
  return asked === 'off' ? undefined : readDuration(String(asked));
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

/** `undefined` for forms, and for bodies of which nothing is kept. */
function nameCall(
  { stream, framing, model }: Pick<Operation, 'stream' | 'framing' | 'model'>,
  { body, record, request: { headers } }: CachedCall,
): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  return nameRequestBody(body, {
    walletId: record.caller.walletId,
    endpoint: record.endpoint,
    // Two keys of a wallet may have other models behind one name.
    model: `${record.model} ${model}`,
    stream,
    framing,
    headers,
  });
}

/** An answer of another model is given to those alone who may use that model; none is given of a model that has no price now. */
function findServable(
  answer: KeptAnswer | undefined,
  { caller }: CallRecord,
  { catalog }: Pick<GatewayContext, 'catalog'>,
): FoundAnswer | undefined {
  if (!answer || caller.allowedModels?.has(answer.model) === false) return undefined;
  const by = catalog().models.get(answer.model);
  const price = by && priceAt(by, Date.now());
  return by && price && { ...answer, by, price };
}
