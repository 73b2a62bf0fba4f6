import { formatUsd, omitUndefined, type Usage } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import type { BodyLease } from '../edge/body-budget.js';
import type { ClientConnection } from '../edge/client-connection.js';
import { nameRequest } from '../edge/find-dialect.js';
import type { CallRecord } from './call-record.js';
import type { Fault } from './classify-failure.js';
import { describeRoute, nameDropped } from './describe-route.js';
import type { EarlyStream } from './early-stream.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import type { Operation, SubmittedAnswer } from './operation.js';
import { relayPassthrough } from './relay-passthrough.js';
import { approximateUsageSoFar, relayStream } from './relay-stream.js';
import { release, settle } from './settle.js';
import type { AnswerOutcome, PassthroughOutcome, ServedOutcome, StreamOutcome } from './take-answer.js';
import type { AbandonedOutcome } from './try-channels.js';

/** A call that is admitted, opened and held. */
export interface HeldCall {
  readonly operation: Operation;
  readonly hold: Hold;
  readonly record: CallRecord;
  readonly client: ClientConnection;
  /** Memory that the call holds until its end. */
  readonly lease: BodyLease;
  /** Where its stream may begin before its answer. */
  readonly early?: EarlyStream | undefined;
}

/** How an answer went out piece by piece: all but its last bytes, which are held back until it is settled. */
export type RelayedAnswer = { readonly last: Buffer } & RelayEnd;

/** As a whole, left by its client, or broken off by its upstream. */
export type RelayEnd =
  | { readonly kind: 'completed' | 'client_aborted' }
  | { readonly kind: 'upstream_failed'; readonly fault: Fault };

/** Status in the log for a client that disconnected before its answer began. */
const CLIENT_CLOSED_REQUEST = 499;

/** Gives a channel's answer to the client, and settles the call by what it used. */
export function relay(
  outcome: ServedOutcome | AbandonedOutcome,
  call: HeldCall,
  gateway: GatewayContext,
): Promise<void> {
  switch (outcome.kind) {
    case 'answer':
      return sendAnswer(outcome, call, gateway);
    case 'stream':
      return streamAnswer(outcome, call, gateway);
    case 'passthrough':
      return passAnswer(outcome, call, gateway);
    case 'abandoned':
      return endAbandoned(call, gateway);
  }
}

/** The answer to a call that a worker has taken. Billing charges it at its end. */
export function relaySubmitted(
  { bytes, dropped }: SubmittedAnswer,
  record: CallRecord,
  client: ClientConnection,
): void {
  record.end('completed');
  client.send(
    { ...describeAnswer(record, JSON_TYPE), ...describeRoute(record), ...nameDropped(dropped) },
    bytes,
  );
}

async function sendAnswer(
  { answer, prepared }: AnswerOutcome,
  { operation, hold, record, client, early }: HeldCall,
  gateway: GatewayContext,
): Promise<void> {
  const measuring = operation.measure(answer, { hold, prepared, isWhole: true });
  const billed = measuring instanceof Promise ? await measuring : measuring;
  const settling = settle(record, hold, billed, gateway);
  if (settling) await settling;
  record.end('completed');
  if (operation.keepAnswer) await operation.keepAnswer(answer.bytes, prepared.keeper);
  if (early?.hasBegun) return early.end(answer.bytes);
  client.send(
    {
      ...nameRequest(operation.dialect, record.requestId),
      ...describeAnswer(record, answer.contentType),
      ...describeRoute(record),
      ...nameDropped(prepared.dropped?.toString()),
    },
    answer.bytes,
  );
}

/** A caller who disconnects pays for what was produced. The last bytes of a whole answer go out once it is settled. */
async function streamAnswer(outcome: StreamOutcome, call: HeldCall, gateway: GatewayContext): Promise<void> {
  const { prepared } = outcome;
  const { operation, hold, record } = call;
  const ending = await relayStream(outcome, call, gateway);
  const { kind, reader, last } = ending;
  if (
    !endRelay(ending, call, gateway, () =>
      approximateUsageSoFar(reader, operation.approximateSent(hold), outcome, call),
    )
  )
    return;
  await endOpenAnswer(call, last, async () => {
    const billed = await operation.measure(reader, { hold, prepared, isWhole: kind === 'completed' });
    await settle(record, hold, billed, gateway);
    if (kind === 'completed') await operation.keepAnswer?.(last, prepared.keeper);
  });
}

/** The price of such an answer is known in advance, so the header holds it. A caller who disconnects pays for all of it. */
async function passAnswer(
  outcome: PassthroughOutcome,
  call: HeldCall,
  gateway: GatewayContext,
): Promise<void> {
  const { prepared, contentType, contentLength } = outcome;
  const { operation, hold, record, client } = call;
  const billed = await operation.measure(UNREAD, { hold, prepared, isWhole: true });
  record.ttftMs = record.elapsedMs();
  client.openStream({
    ...describeAnswer(record, contentType, costOfCall(billed.usage, hold.price.price).total),
    ...describeRoute(record),
    ...omitUndefined({ 'content-length': contentLength }),
    ...nameDropped(prepared.dropped?.toString()),
  });
  const ending = await relayPassthrough(outcome, client);
  if (!endRelay(ending, call, gateway, () => billed.usage)) return;
  await endOpenAnswer(call, ending.last, async () => settle(record, hold, billed, gateway));
}

/** Settles an answer of which the most part is out, then ends it; one that cannot be settled is broken off. */
async function endOpenAnswer(
  { operation, client, record }: HeldCall,
  last: Buffer,
  settleAnswer: () => Promise<void>,
): Promise<void> {
  try {
    await settleAnswer();
  } catch (error) {
    client.breakOff();
    throw error;
  }
  if (client.left) return;
  client.endStream(operation.showCost?.(last, record.cost) ?? last, formatUsd(record.cost));
}

/** Nothing is read of an answer that is passed through. */
const UNREAD = { usage: undefined, readText: () => '' };

/**
 * What an upstream breaks off costs its caller nothing.
 *
 * @param guess what the upstream may bill us for an answer that broke off.
 * @returns whether the call is to be charged.
 */
function endRelay(
  ending: RelayEnd,
  { record, hold }: HeldCall,
  gateway: GatewayContext,
  guess: () => Usage,
): boolean {
  record.end(ending.kind);
  record.openAttempt?.(ending.kind === 'upstream_failed' ? ending.fault : ending.kind);
  if (ending.kind === 'client_aborted') gateway.metrics.clientAborts.inc();
  if (ending.kind !== 'upstream_failed') return true;
  record.errorCode ??= 'upstream_error';
  record.noteWaste({ reason: 'stream_broken', usage: guess(), priceVersionId: hold.price.versionId });
  release(record, hold, gateway);
  return false;
}

/** The client disconnected before its answer began. Where the upstream bills the prompt by then, so does the gateway. */
async function endAbandoned({ operation, hold, record }: HeldCall, gateway: GatewayContext): Promise<void> {
  record.end('client_aborted', CLIENT_CLOSED_REQUEST);
  gateway.metrics.clientAborts.inc();
  if (record.isUnsent) return release(record, hold, gateway);
  if (!operation.chargesUnanswered) {
    const usage = operation.approximateSent(hold);
    record.noteWaste({ reason: 'abandoned', usage, priceVersionId: hold.price.versionId });
    return release(record, hold, gateway);
  }
  const usage = await operation.estimateSent(hold);
  await settle(record, hold, { usage, estimated: true }, gateway);
}

const JSON_TYPE = 'application/json; charset=utf-8';

function describeAnswer(record: CallRecord, contentType: string, cost = record.cost): Record<string, string> {
  return {
    'content-type': contentType,
    'x-request-id': record.requestId,
    'x-gateway-cost': formatUsd(cost),
    'x-gateway-latency-ms': String(record.answerLatencyMs()),
  };
}
