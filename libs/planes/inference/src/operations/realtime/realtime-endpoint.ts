import { GatewayError } from '@mg/contract';
import { openAiRealtime } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { describeRoute } from '../../call/describe-route.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { type Handler, tracked, type TrackedCall } from '../../call/tracked-call.js';
import { acceptUpgrade, checkUpgrade, MAX_MESSAGE_BYTES, watchLeaving } from '../../edge/upgrades.js';
import { abandonSession, type Connected, openSession, runSession } from './open-session.js';
import { serveAfterSetup } from './serve-after-setup.js';
import { boundResponse, REALTIME_PATH, SessionOperation } from './session-operation.js';
import { transcriptionSetup } from './transcription-setup.js';

const WISH = { protocol: openAiRealtime };

/**
 * Sessions of the Realtime API by WebSocket: the stages of every call until the upgrade is answered, then messages in both
 * directions, of which each response is a call of its own (`session-responses.ts`).
 */
export function realtime(gateway: GatewayContext): Handler {
  return tracked(REALTIME_PATH, gateway, async (call) => {
    const { request } = call;
    if (isToTranscribe(request)) await serveAfterSetup(transcriptionSetup(request, gateway), call, gateway);
    else await serve(call, gateway);
    return true;
  });
}

/** @throws GatewayError for everything that goes wrong before the upgrade is answered. */
async function serve(call: TrackedCall, gateway: GatewayContext): Promise<void> {
  const { request, reply, record, lease } = call;
  checkUpgrade(request.raw);
  gateway.sessions.refuseWhileDraining();
  record.trace?.stage('open');
  const operation = new SessionOperation('realtime', readModel(request), boundResponse, gateway);
  // A message that is coming in lies in memory until it is whole.
  lease.take(MAX_MESSAGE_BYTES);
  const connected = await connect(operation, call, gateway);
  if (!connected) return;
  reply.headers(describeRoute(record));
  const client = acceptUpgrade(request.raw, reply);
  if (!client) return abandonSession(connected, record, gateway);
  const own = new SessionOperation('realtime', record.model, boundResponse, gateway);
  await runSession(client, WISH, own, call, connected, gateway);
}

async function connect(
  operation: SessionOperation,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<Connected | undefined> {
  const controller = new AbortController();
  const unwatch = watchLeaving(call.request.raw, () => controller.abort());
  try {
    return await openSession(WISH, operation, call, controller.signal, gateway);
  } finally {
    unwatch();
  }
}

/** Whether the address asks for a session that only transcribes. @throws GatewayError `invalid_request` where it names a model, too. */
function isToTranscribe({ query }: FastifyRequest): boolean {
  const { intent, model, call_id: callId } = query as Readonly<Record<string, unknown>>;
  if (intent !== 'transcription') return false;
  for (const [param, value] of Object.entries({ model, call_id: callId })) {
    if (value === undefined) continue;
    const problem = `${param}: stands beside intent; the first event of a session that transcribes names its model.`;
    throw new GatewayError('invalid_request', problem, { param });
  }
  return true;
}

/** The model that the address names. @throws GatewayError `invalid_request` for sessions of other kinds. */
function readModel({ query }: FastifyRequest): string {
  const { model, intent, call_id: callId } = query as Readonly<Record<string, unknown>>;
  for (const [param, value] of Object.entries({ intent, call_id: callId })) {
    if (value === undefined) continue;
    throw new GatewayError('invalid_request', `${param}: only sessions with a model are served.`, { param });
  }
  if (typeof model === 'string' && model !== '') return model;
  throw new GatewayError('invalid_request', 'model: must be named once in the query.', { param: 'model' });
}
