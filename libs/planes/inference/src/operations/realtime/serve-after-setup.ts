import { GatewayError, newId } from '@mg/contract';
import type { SessionProtocol } from '@mg/protocols';
import type { Peer } from '@mg/transport';
import type { GatewayContext } from '../../call/gateway-context.js';
import { slowDown } from '../../call/slow-down.js';
import type { TrackedCall } from '../../call/tracked-call.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { toGatewayError } from '../../edge/render-error.js';
import { acceptUpgrade, checkUpgrade, MAX_MESSAGE_BYTES } from '../../edge/upgrades.js';
import type { SessionWish } from './connect-channel.js';
import { abandonSession, openSession, runSession } from './open-session.js';
import { PeekedPeer } from './peeked-peer.js';
import { codeOf } from './session-end.js';
import type { SessionOperation } from './session-operation.js';

const SETUP_WITHIN_MS = 15_000;
const CLIENT_LEFT = 499;

/** What the first message of a client asks for. */
export interface Setup {
  readonly wish: SessionWish;
  /** The model as the client names it. */
  readonly model: string;
  /** What is asked of a model in the session. */
  operate(model: string): SessionOperation;
}

/** Sessions whose first message says what they are to be. */
export interface SetupFacts {
  readonly protocol: SessionProtocol;
  /** What the first message is called. */
  readonly param: string;
  /** Told to the client as soon as it is connected, where it waits for that. */
  readonly greeting?: string;
  /** @throws GatewayError `invalid_request` naming the member. */
  read(first: Buffer): Setup;
}

/**
 * A session whose first message names the model, so the upgrade is answered once the caller is known, and what goes wrong after that
 * is told in the session, by its end.
 *
 * @throws GatewayError for what goes wrong before.
 */
export async function serveAfterSetup(
  facts: SetupFacts,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<void> {
  const { request, reply, record, lease } = call;
  checkUpgrade(request.raw);
  gateway.sessions.refuseWhileDraining();
  // A message that is coming in lies in memory until it is whole.
  lease.take(MAX_MESSAGE_BYTES);
  const client = acceptUpgrade(request.raw, reply);
  if (!client) return record.end('client_aborted', CLIENT_LEFT);
  if (facts.greeting !== undefined) void client.send(facts.greeting);
  try {
    await serve(await PeekedPeer.open(client, SETUP_WITHIN_MS, true), facts, call, gateway);
  } catch (error) {
    const shown = toGatewayError(error, request, gateway.logger);
    record.fail(shown);
    await slowDown(shown, record, reply, gateway);
    endWith(shown, client, facts.protocol, record.requestId);
  }
}

/** @throws GatewayError for everything that goes wrong before the upstream has begun the session. */
async function serve(
  opened: Awaited<ReturnType<typeof PeekedPeer.open>>,
  { protocol, param, read }: SetupFacts,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<void> {
  const { record } = call;
  if (!opened) throw new GatewayError('invalid_request', `${param}: did not come in time.`, { param });
  if (!('peer' in opened)) return record.end('client_aborted', CLIENT_LEFT);
  const { peer, first } = opened;
  record.trace?.stage('open');
  await protocol.parseLongClientEvent(first, nextTurn);
  const { wish, model, operate } = read(first);
  gateway.sessions.refuseWhileDraining();
  const connected = await openSession(wish, operate(model), call, peer.left, gateway);
  if (!connected) return;
  if (peer.left.aborted) return abandonSession(connected, record, gateway);
  await runSession(peer, wish, operate(record.model), call, connected, gateway);
}

function endWith(error: GatewayError, client: Peer, protocol: SessionProtocol, requestId: string): void {
  const event = protocol.renderError(error, { event: `event_${newId()}`, request: requestId });
  if (event !== undefined) void client.send(event);
  const { code, reason } = protocol.renderClose(error) ?? {
    code: codeOf({ reason: 'refused', error }),
    reason: error.code,
  };
  client.close(code, reason);
}
