import type { CallerToken } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { admit, RefusedKey } from '../access/admit.js';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { recordCall } from './record-call.js';
import type { CallTrace } from '../trace/call-trace.js';

/**
 * Who is calling: a promise only where that has to be waited for. A key that is known and refused has its call in the log, for
 * its owner asks why.
 *
 * @throws as `admit`.
 */
export function admitCall(
  request: FastifyRequest,
  endpoint: string,
  gateway: GatewayContext,
  trace: CallTrace | undefined,
): CallerToken | Promise<CallerToken> {
  trace?.stage('admit');
  const logRefusal = (error: unknown): never => {
    trace?.end(undefined);
    if (error instanceof RefusedKey) {
      const record = new CallRecord(request.id, endpoint, error.token);
      record.fail(error);
      record.errorMessage = error.why;
      recordCall(record, gateway);
    }
    throw error;
  };
  try {
    const admitted = admit(request, gateway);
    return admitted instanceof Promise ? admitted.catch(logRefusal) : admitted;
  } catch (error) {
    return logRefusal(error);
  }
}
