import { HOPS_HEADER, readHops } from '@mg/contract';
import { BATCH_LINE_HEADER } from '@mg/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readNativeStep } from '../access/batch-lines.js';
import type { BodyBudget, BodyLease } from '../edge/body-budget.js';
import { toGatewayError } from '../edge/render-error.js';
import { admitCall } from './admit-call.js';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { recordCall } from './record-call.js';
import { slowDown } from './slow-down.js';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A call whose caller is known, and which is in the log at its end. */
export interface TrackedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly record: CallRecord;
  readonly lease: BodyLease;
}

/**
 * What every call that costs money is surrounded with: admission at its beginning; at its end whatever it was given is given
 * back, and it is written into the log.
 *
 * @param path as the log and the metrics name it.
 * @param run answers whether the call is one of its own: another one may have been asked again.
 */
export function tracked(
  path: string,
  gateway: GatewayContext,
  run: (call: TrackedCall) => Promise<boolean>,
): Handler {
  return async (request, reply) => {
    const trace = gateway.tracing.begin(request, path);
    const admitted = admitCall(request, path, gateway, trace);
    const caller = admitted instanceof Promise ? await admitted : admitted;
    const record = new CallRecord(request.id, path, caller);
    record.trace = trace;
    record.isBatched = request.headers[BATCH_LINE_HEADER] !== undefined;
    record.hops = readHops(request.headers[HOPS_HEADER], gateway.installation);
    const lease = findBudget(request, gateway).open(caller.id);
    let ran = true;
    gateway.metrics.inFlight++;
    try {
      gateway.inFlight.begin(caller.id);
      ran = await run({ request, reply, record, lease });
    } catch (error) {
      const shown = toGatewayError(error, request, gateway.logger);
      record.fail(shown);
      await slowDown(shown, record, reply, gateway);
      throw shown;
    } finally {
      lease.endAnswerTurn();
      releaseWhenSent(lease, reply);
      gateway.metrics.inFlight--;
      gateway.inFlight.end(caller.id);
      gateway.heldCalls.end(record.requestId);
      if (record.countedAt !== undefined) gateway.load.end(record.countedAt);
      record.endPermits();
      trace?.end(record);
      if (ran) recordCall(record, gateway);
    }
    return reply;
  };
}

/** What a provider has carried out is settled, whatever room the calls in flight take. */
function findBudget(request: FastifyRequest, { bodies, settlements }: GatewayContext): BodyBudget {
  const step = readNativeStep(request);
  return step === undefined || step.kind === 'prepare' ? bodies : settlements;
}

/** An answer that a slow client has not taken yet still lies in memory. */
function releaseWhenSent(lease: BodyLease, { raw }: FastifyReply): void {
  if (raw.writableEnded && !raw.writableFinished && !raw.destroyed) raw.once('close', () => lease.release());
  else lease.release();
}
