import { type ChatEnvelope, listChatProtocols } from '@mg/protocols';
import type { BilledEndpoint } from '../../call/operation.js';
import { needJson } from '../../call/receive.js';
import { ChatOperation } from './chat-operation.js';
import { ChatRequest } from './chat-request.js';
import { inlineStoredFiles } from '../../call/inline-stored-files.js';
import { describeMemory, keepResponse } from './keep-response.js';
import { type RecalledRequest, recallConversation } from './recall-conversation.js';

/** The endpoint of every protocol that has a path of its own. Google's paths name the model: see `google-endpoints.ts`. */
export const CHAT_ENDPOINTS: readonly BilledEndpoint[] = listChatProtocols().flatMap((protocol) => {
  const { path, name: dialect } = protocol;
  if (path === undefined) return [];
  const open: BilledEndpoint['open'] = async (received, request, gateway, call) => {
    const query = request.query as Record<string, unknown>;
    const asked = needJson(received);
    const recalled = await recallConversation(asked, protocol, call, gateway);
    const body = recalled?.body ?? asked;
    const { envelope, framing } = protocol.readCall(body, { query });
    const keeping = keepResponse(protocol, { envelope, asked, recalled, caller: call.caller }, gateway);
    const named = { body, parsed: envelope.parsed, files: protocol.files };
    const inlined = await inlineStoredFiles(named, request, call, gateway);
    const sent = inlined ? protocol.readCall(inlined, { query }).envelope : envelope;
    const known = sent.repeated ? repeatMemory(sent, recalled, keeping?.isStored ?? false) : sent;
    const chat = new ChatRequest(dialect, known, inlined ?? body, request.headers, framing);
    return new ChatOperation(chat, gateway, keeping?.keepAnswer, recalled?.conversationId !== undefined);
  };
  return [{ path, dialect, open }];
});

/** The same, with what an answer says of the gateway's memory among what it repeats. */
function repeatMemory(
  envelope: ChatEnvelope,
  recalled: RecalledRequest | undefined,
  isStored: boolean,
): ChatEnvelope {
  return { ...envelope, repeated: { ...envelope.repeated, ...describeMemory(recalled, isStored) } };
}
