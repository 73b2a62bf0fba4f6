import type { NativeStep } from '@mg/transport';
import type { GatewayContext } from '../gateway-context.js';
import type { BilledEndpoint } from '../operation.js';
import type { TrackedCall } from '../tracked-call.js';
import { nameRequest } from '../../edge/find-dialect.js';
import { prepareLine } from './prepare-line.js';
import { releaseLine } from './release-line.js';
import { settleLine } from './settle-line.js';

const NO_CONTENT = 204;

/**
 * Does with a line that a provider carries out what its worker asks for, all of it under one request id: prepare, which holds
 * its money, then settle, which charges it, or release (docs/decisions/0035-native-batches.md).
 *
 * @returns whether it belongs into the log.
 */
export function takeNativeStep(
  step: NativeStep,
  endpoint: BilledEndpoint,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<boolean> {
  const { request, reply, record } = call;
  record.requestId = step.requestId;
  // Errors name it too.
  request.id = step.requestId;
  reply.headers(nameRequest(endpoint.dialect, step.requestId));
  const away = withoutFetching(gateway);
  switch (step.kind) {
    case 'prepare':
      return prepareLine(step, endpoint, call, away);
    case 'confirm':
      // Its key was let in.
      reply.code(NO_CONTENT).send();
      return Promise.resolve(false);
    case 'settle':
      return settleLine(step, endpoint, call, away);
    case 'release':
      return releaseLine(step, endpoint, call, away);
  }
}

/**
 * A line is converted when it is prepared and once more when it is settled: what has to be fetched for that may be gone by then,
 * and the provider has been paid. Such lines are made as calls.
 */
function withoutFetching(gateway: GatewayContext): GatewayContext {
  return { ...gateway, mediaFetching: { ...gateway.mediaFetching, enabled: false } };
}
