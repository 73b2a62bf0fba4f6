import type { Surface } from '@mg/providers';
import type { Attempt } from '@mg/routing';
import type { ChatCall } from '../chat/chat-call.js';
import { prepareCanonical } from './canonical-lane.js';
import type { Lane } from './lane.js';
import { prepareNative } from './native-lane.js';

/**
 * Two lanes, no third: where the channel speaks the client's protocol the bytes go through untouched, otherwise
 * through the canonical form.
 *
 * @throws GatewayError `invalid_request` where the channel's protocol cannot carry what was asked.
 */
export function prepareLane(surface: Surface, attempt: Attempt, chat: ChatCall): Lane {
  return surface.protocol === chat.request.protocol.name
    ? prepareNative(surface, attempt, chat)
    : prepareCanonical(surface, attempt, chat);
}
