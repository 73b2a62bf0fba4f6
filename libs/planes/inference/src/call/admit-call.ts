import type { CallerToken } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { admit, RefusedKey } from '../access/admit.js';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { recordCall } from './record-call.js';
import type { CallTrace } from '../trace/call-trace.js';

/** Who makes a call that costs money: a promise only where that has to be waited for. @throws as `admit`. */
export function admitCall(
  request: FastifyRequest,
  endpoint: string,
  gateway: GatewayContext,
  trace: CallTrace | undefined,
): CallerToken | Promise<CallerToken> {
  trace?.stage('admit');
  const logRefusal = (error: unknown): never => {
    trace?.end(undefined);
    recordRefusedKey(error, request, endpoint, gateway);
    throw error;
  };
  try {
    const admitted = admit(request, gateway);
    return admitted instanceof Promise ? admitted.catch(logRefusal) : admitted;
  } catch (error) {
    return logRefusal(error);
  }
}

/**
 * Who asks for something that costs nothing.
 *
 * @param findCaller who is calling, where that is not said by a key of the request.
 * @throws as `admit`.
 */
export async function admitFreeCall(
  request: FastifyRequest,
  gateway: GatewayContext,
  findCaller: (request: FastifyRequest) => CallerToken | Promise<CallerToken> = () => admit(request, gateway),
): Promise<CallerToken> {
  try {
    return await findCaller(request);
  } catch (error) {
    recordRefusedKey(error, request, request.routeOptions.url ?? '', gateway);
    throw error;
  }
}

/** A key that is known and refused has its call in the log, for its owner asks why. */
function recordRefusedKey(
  error: unknown,
  request: FastifyRequest,
  endpoint: string,
  gateway: GatewayContext,
): void {
  if (!(error instanceof RefusedKey)) return;
  const record = new CallRecord(request.id, endpoint, error.token);
  record.fail(error);
  record.errorMessage = error.why;
  recordCall(record, gateway);
}
