import { geminiLive, type LiveSetup, readLiveSetup } from '@mg/protocols';
import type { GatewayContext } from '../../call/gateway-context.js';
import { type Handler, tracked } from '../../call/tracked-call.js';
import { serveAfterSetup, type Setup } from './serve-after-setup.js';
import { boundResponse, boundSearch, type RateNeed, SessionOperation } from './session-operation.js';

/**
 * Sessions of Google's Live API by WebSocket, whose first message names the model.
 *
 * @param path as the log and the metrics name it.
 */
export function live(path: string, version: string, gateway: GatewayContext): Handler {
  const read = (first: Buffer) => readSetup(first, version, gateway);
  return tracked(path, gateway, async (call) => {
    await serveAfterSetup({ protocol: geminiLive, param: 'setup', read }, call, gateway);
    return true;
  });
}

function readSetup(first: Buffer, version: string, gateway: GatewayContext): Setup {
  const setup = readLiveSetup(first);
  const bound = setup.search === undefined ? boundResponse : boundSearch;
  const needs = listNeeds(setup);
  return {
    wish: { protocol: geminiLive, version, opening: (model) => setup.render(model) },
    model: setup.model,
    operate: (model) => new SessionOperation('realtime', model, bound, gateway, needs),
  };
}

/** What costs more than tokens of text and audio has to have a rate. */
function listNeeds({ search, image }: LiveSetup): readonly RateNeed[] {
  return [
    ...(search === undefined ? [] : [{ param: search, rate: 'per_web_search' as const }]),
    ...(image === undefined ? [] : [{ param: image, rate: 'image_input_per_million' as const }]),
  ];
}
