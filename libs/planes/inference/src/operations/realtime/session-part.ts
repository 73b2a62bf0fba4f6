import { type Channel, type Model, newId } from '@mg/contract';
import type { AudioRates } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { admit } from '../../access/admit.js';
import { CallRecord } from '../../call/call-record.js';
import { findModel } from '../../call/find-model.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import { reserve } from '../../call/reserve.js';
import type { Candidate } from '../../call/route-call.js';
import { isRefusal } from '../../limits/limiter.js';
import type { Permit } from '../../limits/permit.js';
import { refuseLimited } from '../../limits/refuse-limited.js';
import type { SessionOperation } from './session-operation.js';

/** What the parts of a session have in common that are charged: responses, transcripts. */
export interface SessionFacts {
  readonly request: FastifyRequest;
  /** Of the session itself. */
  readonly session: CallRecord;
  readonly operation: SessionOperation;
  /** The model that answers, and where. */
  readonly candidate: Candidate;
  readonly channel: Pick<Channel, 'limits'>;
  readonly audio: AudioRates;
}

/**
 * Holds what a part of a session may cost at most, as for a call of its own: the key, the model or its price may have changed since
 * the session was opened.
 *
 * @throws GatewayError as `admit`, `findModel` and `reserve`.
 */
export async function reservePart(
  { request, session, candidate }: SessionFacts,
  operation: SessionOperation,
  gateway: GatewayContext,
): Promise<Hold> {
  const caller = await admit(request, gateway);
  const model = findModel(gateway.catalog(), caller, operation.model, operation.kind);
  const record = new CallRecord(newId(), session.endpoint, caller);
  return reserve(operation, { model, plan: candidate.plan, record }, gateway);
}

/**
 * Takes what a part counts among the rates of its key, of the model that makes it and of the session's channel.
 *
 * @throws GatewayError `rate_limited`.
 */
export async function takeRates(
  { session, channel }: Pick<SessionFacts, 'session' | 'channel'>,
  model: Pick<Model, 'limits'> | undefined,
  tokens: number,
  { limiter, metrics }: GatewayContext,
): Promise<Permit> {
  const limited = [...(session.caller.limits ?? []), model?.limits, channel.limits].filter(
    (scoped) => scoped !== undefined,
  );
  const permit = await limiter.takeRates(limited, tokens);
  if (!isRefusal(permit)) return permit;
  metrics.countLimited(permit.refusedBy.scope, permit.refusedBy.measure);
  throw refuseLimited(permit);
}

/** The record of a part that was held for. @param what it is, for its row in the log. */
export function openPart(
  { session }: SessionFacts,
  hold: Hold,
  { model, askedModel }: Pick<CallRecord, 'model' | 'askedModel'>,
  what: string,
): CallRecord {
  const record = new CallRecord(hold.requestId, session.endpoint, session.caller);
  record.describe({ model: askedModel ?? model, stream: true });
  record.resolve(model);
  record.priceVersionId = hold.price.versionId;
  const channel = session.channel ?? '';
  const reason = `${what} of session ${session.requestId}`;
  record.channel = channel;
  record.attempts.push({ channel, outcome: 'served', status: 200, latency_ms: 0, reason });
  return record;
}
