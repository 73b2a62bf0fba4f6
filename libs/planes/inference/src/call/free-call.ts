import type { CallerToken } from '@mg/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FairShare } from '../access/fair-share.js';
import type { BodyLease } from '../edge/body-budget.js';
import { readJsonBody } from '../edge/read-json-body.js';
import { admitFreeCall } from './admit-call.js';
import type { GatewayContext } from './gateway-context.js';
import { limitFreeCall } from './limit-call.js';
import type { Handler } from './tracked-call.js';

/** Enough for the longest context that any model takes, as text. */
export const MAX_FREE_JSON_BYTES = 4 * 1024 * 1024;

/**
 * A call that costs nothing and still wants a key.
 *
 * @param share what each key may have of such calls.
 * @param findCaller who is calling, where that is not said by a key of the request.
 */
export function free(
  gateway: GatewayContext,
  answer: (
    caller: CallerToken,
    request: FastifyRequest,
    reply: FastifyReply,
    gateway: GatewayContext,
  ) => unknown,
  share: FairShare = gateway.shares.calls,
  findCaller?: (request: FastifyRequest) => Promise<CallerToken>,
): Handler {
  return async (request, reply) => {
    const caller = await admitFreeCall(request, gateway, findCaller);
    return share.run(caller.id, () => answer(caller, request, reply, gateway));
  };
}

/** A free call with a JSON body. */
export interface FreeCall {
  readonly caller: CallerToken;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: Buffer;
  readonly lease: BodyLease;
}

/** A call with a JSON body that costs nothing and still wants a key, whose wallet holds something. */
export function freeWithBody(
  gateway: GatewayContext,
  answer: (call: FreeCall, gateway: GatewayContext) => unknown,
  maxBytes = MAX_FREE_JSON_BYTES,
): Handler {
  const count: Parameters<typeof free>[1] = async (caller, request, reply) => {
    await gateway.funds.need(caller);
    const permit = caller.limits && (await limitFreeCall(caller, gateway));
    const lease = gateway.bodies.open(caller.id);
    try {
      const body = await readJsonBody(request, lease, maxBytes);
      return await answer({ caller, request, reply, body, lease }, gateway);
    } finally {
      lease.release();
      permit?.end(0);
    }
  };
  return free(gateway, count, gateway.shares.counts);
}
