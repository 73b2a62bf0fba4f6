import { formatUsd } from '@mg/contract';
import type { CallRecord } from '../call/call-record.js';
import { findModel } from '../call/find-model.js';
import { planCall } from '../call/plan-call.js';
import { reserveUsage } from '../call/reserve.js';
import { release, settle } from '../call/settle.js';
import { tryChannels } from '../call/try-channels.js';
import type { ClientConnection } from '../http/client-connection.js';
import type { Kit } from '../kit.js';
import type { ExchangeCall, ExchangeRequest } from './exchange-call.js';
import { measureExchange } from './measure-exchange.js';
import { relayExchange } from './relay-exchange.js';
import type { ExchangeOutcome } from './read-answers.js';
import { relayPassage } from './relay-passage.js';
import { sendExchange } from './send-exchange.js';

/** The log's status for a client that left before its answer began. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * One call that is asked once and answered once - embeddings, images, audio - from an admitted caller to a settled bill:
 * open -> route -> reserve -> send to one channel after another -> answer -> settle.
 *
 * @throws GatewayError for everything that goes wrong before the first byte of an answer; the call then costs nothing.
 */
export async function answerExchange(
  request: ExchangeRequest,
  record: CallRecord,
  client: ClientConnection,
  kit: Kit,
): Promise<void> {
  const { exchange } = request;
  record.model = exchange.model;
  record.stream = exchange.stream;
  const model = findModel(kit.catalog(), record.caller, exchange.model, exchange.kind);
  const plan = planCall(exchange.model, kit);
  request.lease.take(exchange.answerBytes);
  const hold = await reserveUsage(record, model, exchange, kit);
  const call: ExchangeCall = { ...request, record, hold, client };
  try {
    const outcome = await tryChannels(plan, record, kit, (attempt) => sendExchange(attempt, call, kit));
    if (outcome.kind === 'answer') await sendAnswer(outcome, call, kit);
    else if (outcome.kind === 'stream') await relayExchange(outcome, call, kit);
    else if (outcome.kind === 'passage') await relayPassage(outcome, call, kit);
    else abandon(call, kit);
  } catch (error) {
    release(hold, kit);
    throw error;
  }
}

/** The client left before its answer came: the upstream was stopped, and what it had produced by then nobody got. */
function abandon({ record, hold }: ExchangeCall, kit: Kit): void {
  record.status = CLIENT_CLOSED_REQUEST;
  record.reason = 'client_aborted';
  kit.metrics.clientAborts.inc();
  release(hold, kit);
}

async function sendAnswer(
  { lane, answer }: Extract<ExchangeOutcome, { kind: 'answer' }>,
  call: ExchangeCall,
  kit: Kit,
): Promise<void> {
  const { record, hold, client } = call;
  const { usage, estimated } = await measureExchange(call.exchange, hold, answer.usage, kit.counter);
  settle(record, hold, usage, estimated, kit);
  record.status = 200;
  record.reason = 'completed';
  client.send(
    {
      'content-type': answer.contentType,
      'x-request-id': record.requestId,
      'x-gateway-cost': formatUsd(record.cost),
      'x-gateway-latency-ms': String(record.elapsedMs()),
      ...(lane.dropped ? { 'x-gateway-dropped': lane.dropped.toString() } : {}),
    },
    answer.bytes,
  );
}
