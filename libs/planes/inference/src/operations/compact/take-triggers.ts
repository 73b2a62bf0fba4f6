import type { BilledEndpoint, OpenedCall, OpeningCall } from '../../call/operation.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { ChatOperation } from '../chat/chat-operation.js';
import { askForSummary } from './ask-for-summary.js';
import { TriggeredCompaction } from './triggered-compaction.js';

/**
 * An endpoint of chats that takes a wish to compact at the end of an input, as Codex sends it to a provider that compacts. Other
 * requests go on to the chat.
 */
export function takeTriggers(endpoint: BilledEndpoint): BilledEndpoint {
  return {
    ...endpoint,
    async open(received, request, gateway, call) {
      const opened = await endpoint.open(received, request, gateway, call);
      return opened instanceof ChatOperation ? openTriggered(opened, gateway, call) : opened;
    },
  };
}

async function openTriggered(
  chat: ChatOperation,
  gateway: GatewayContext,
  call: OpeningCall,
): Promise<OpenedCall> {
  const { request } = chat;
  const { memory } = request.protocol;
  if (!memory?.mayRefer(request.body)) return chat;
  const items = memory.readReferences(request.envelope.parsed).input;
  if (!memory.isCompactionTrigger(items.at(-1))) return chat;
  const summary = await askForSummary(request, items.slice(0, -1), call);
  const { walletId } = call.caller;
  return new TriggeredCompaction({ walletId, native: request, summary }, gateway, chat);
}
