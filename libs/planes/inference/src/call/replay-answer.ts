import { formatUsd, type Usage } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import type { ClientConnection } from '../edge/client-connection.js';
import { nameRequest } from '../edge/find-dialect.js';
import type { CallRecord } from './call-record.js';
import type { FoundAnswer } from './find-in-cache.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import { limitFreeCall } from './limit-call.js';
import type { Bound, Operation } from './operation.js';
import { reserve } from './reserve.js';
import { release, settle } from './settle.js';

/** A call that is answered as an equal one was. */
interface RepeatedCall {
  readonly record: CallRecord;
  readonly client: ClientConnection;
}

type RepeatedOperation = Pick<Operation, 'stream' | 'dialect' | 'showCost'>;

/**
 * Gives an answer again, a stream as a stream. It counts as a request, uses no tokens, and costs the share of the price that the
 * price names: nothing where it names none.
 *
 * @throws GatewayError `rate_limited`, and what `reserve` throws.
 */
export async function replayAnswer(
  found: FoundAnswer,
  operation: RepeatedOperation,
  { record, client }: RepeatedCall,
  gateway: GatewayContext,
): Promise<void> {
  if (record.caller.limits) record.permit = await limitFreeCall(record.caller, gateway);
  record.cache = 'hit';
  record.serveBy(found.by.slug, found.price.versionId);
  await charge(found, record, gateway);
  record.end('cached');
  send(found, operation, record, client);
}

/** What it costs is known to the nano-dollar, so exactly that is held, and charged before the answer leaves. */
async function charge(
  { by, price, usage: reported }: FoundAnswer,
  record: CallRecord,
  gateway: GatewayContext,
): Promise<void> {
  const usage: Usage = { ...reported, fromCache: true };
  const cost = costOfCall(usage, price.price).total;
  if (cost === 0n) return;
  const bound: Bound<Hold> = { price, wanted: cost, minimum: cost, toHold: (hold) => hold };
  const nowhere = { attempts: [], cooldownUntilMs: undefined };
  const hold = await reserve({ bound: () => bound }, { model: by, plan: nowhere, record }, gateway);
  try {
    await settle(record, hold, { usage, estimated: false }, gateway);
  } catch (error) {
    release(record, hold, gateway);
    throw error;
  } finally {
    hold.leased?.release();
  }
}

function send(
  { reply: { headers: kept, body } }: FoundAnswer,
  { stream, dialect, showCost }: RepeatedOperation,
  record: CallRecord,
  client: ClientConnection,
): void {
  const { 'content-length': _length, 'x-gateway-channel': _channel, ...headers } = kept;
  const own = {
    ...headers,
    ...nameRequest(dialect, record.requestId),
    'x-gateway-attempts': '0',
    'x-gateway-cache': 'hit',
  };
  if (!stream) {
    const latency = String(record.answerLatencyMs());
    client.send({ ...own, 'x-gateway-cost': formatUsd(record.cost), 'x-gateway-latency-ms': latency }, body);
    return;
  }
  record.ttftMs = record.elapsedMs();
  client.openStream(own);
  client.endStream(showCost?.(body, record.cost) ?? body, formatUsd(record.cost));
}
