import type { CallerToken } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { admit, RefusedKey } from '../access/admit.js';
import { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import { recordCall } from './record-call.js';
import type { CallTrace } from '../trace/call-trace.js';

/** Who is calling. A key that is known and refused has its call in the log, for its owner asks why. @throws as `admit`. */
export async function admitCall(
  request: FastifyRequest,
  endpoint: string,
  gateway: GatewayContext,
  trace: CallTrace | undefined,
): Promise<CallerToken> {
  trace?.stage('admit');
  try {
    return await admit(request, gateway);
  } catch (error) {
    trace?.end(undefined);
    if (error instanceof RefusedKey) {
      const record = new CallRecord(request.id, endpoint, error.token);
      record.fail(error);
      record.errorMessage = error.why;
      recordCall(record, gateway);
    }
    throw error;
  }
}
