import { GatewayError } from '@mg/contract';
import { geminiLive, type LiveSetup, readLiveSetup } from '@mg/protocols';
import type { GatewayContext } from '../../call/gateway-context.js';
import { slowDown } from '../../call/slow-down.js';
import { type Handler, tracked, type TrackedCall } from '../../call/tracked-call.js';
import { toGatewayError } from '../../edge/render-error.js';
import { acceptUpgrade, checkUpgrade, MAX_MESSAGE_BYTES } from '../../edge/upgrades.js';
import type { SessionWish } from './connect-channel.js';
import { abandonSession, openSession, runSession } from './open-session.js';
import { PeekedPeer } from './peeked-peer.js';
import { boundResponse, boundSearch, type RateNeed, SessionOperation } from './session-operation.js';

const SETUP_WITHIN_MS = 15_000;
const CLIENT_LEFT = 499;
const POLICY_CLOSE = 1008;

/**
 * Sessions of Google's Live API by WebSocket: the first message names the model, so the upgrade is answered once the caller is
 * known, and what goes wrong after that is told by the end of the connection.
 *
 * @param path as the log and the metrics name it.
 */
export function live(path: string, version: string, gateway: GatewayContext): Handler {
  return tracked(path, gateway, async (call) => {
    const { request, reply, record, lease } = call;
    checkUpgrade(request.raw);
    gateway.sessions.refuseWhileDraining();
    // A message that is coming in lies in memory until it is whole.
    lease.take(MAX_MESSAGE_BYTES);
    const client = acceptUpgrade(request.raw, reply);
    if (!client) {
      record.end('client_aborted', CLIENT_LEFT);
      return true;
    }
    try {
      await serve(await PeekedPeer.open(client, SETUP_WITHIN_MS, true), version, call, gateway);
    } catch (error) {
      const shown = toGatewayError(error, request, gateway.logger);
      record.fail(shown);
      await slowDown(shown, record, reply, gateway);
      const close = geminiLive.renderClose(shown) ?? { code: POLICY_CLOSE, reason: shown.code };
      client.close(close.code, close.reason);
    }
    return true;
  });
}

/** @throws GatewayError for everything that goes wrong before the upstream has begun the session. */
async function serve(
  opened: Awaited<ReturnType<typeof PeekedPeer.open>>,
  version: string,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<void> {
  const { record } = call;
  if (!opened) throw new GatewayError('invalid_request', 'setup: did not come in time.', { param: 'setup' });
  if (!('peer' in opened)) {
    record.end('client_aborted', CLIENT_LEFT);
    return;
  }
  const { peer, first } = opened;
  record.trace?.stage('open');
  const setup = readLiveSetup(first);
  gateway.sessions.refuseWhileDraining();
  const wish: SessionWish = { protocol: geminiLive, version, opening: (model) => setup.render(model) };
  const bound = setup.search === undefined ? boundResponse : boundSearch;
  const needs = listNeeds(setup);
  const operation = new SessionOperation('realtime', setup.model, bound, gateway, needs);
  const connected = await openSession(wish, operation, call, peer.left, gateway);
  if (!connected) return;
  if (peer.left.aborted) return abandonSession(connected, record, gateway);
  const own = new SessionOperation('realtime', record.model, bound, gateway, needs);
  await runSession(peer, wish, own, call, connected, gateway);
}

/** What costs more than tokens of text and audio has to have a rate. */
function listNeeds({ search, image }: LiveSetup): readonly RateNeed[] {
  return [
    ...(search === undefined ? [] : [{ param: search, rate: 'per_web_search' as const }]),
    ...(image === undefined ? [] : [{ param: image, rate: 'image_input_per_million' as const }]),
  ];
}
