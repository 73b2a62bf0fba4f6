import { type ChatEnvelope, listChatProtocols, parseRequestBody } from '@mg/protocols';
import type { BilledEndpoint } from '../../call/operation.js';
import { needJson } from '../../call/receive.js';
import { ChatOperation } from './chat-operation.js';
import { ChatRequest } from './chat-request.js';
import type { HeldConversation } from './held-conversation.js';
import { inlineStoredFiles } from '../../call/inline-stored-files.js';
import { describeMemory, keepResponse } from './keep-response.js';
import { type HeldRequest, type RecalledRequest, recallConversation } from './recall-conversation.js';

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
    // What it goes on from may name files where its own input does not.
    const inlineOwn = (own: Buffer) =>
      inlined &&
      inlineStoredFiles({ ...named, body: own, parsed: parseRequestBody(own) }, request, call, gateway);
    const held = recalled?.held && (await holdConversation(recalled.held, chat, inlineOwn));
    const goesOn = recalled?.conversationId !== undefined;
    const keepsNothing = call.caller.storesResponses === false;
    return new ChatOperation(chat, gateway, { keepAnswer: keeping?.keepAnswer, goesOn, held, keepsNothing });
  };
  return [{ path, dialect, open }];
});

/** What goes to an upstream that keeps what a chat goes on from. */
async function holdConversation(
  { heldBy, unshownTokens, body }: HeldRequest,
  chat: ChatRequest,
  inlineFiles: (body: Buffer) => Promise<Buffer> | undefined,
): Promise<HeldConversation> {
  return { heldBy, unshownTokens, request: chat.withInputOf((await inlineFiles(body)) ?? body) };
}

/** The same, with what an answer says of the gateway's memory among what it repeats. */
function repeatMemory(
  envelope: ChatEnvelope,
  recalled: RecalledRequest | undefined,
  isStored: boolean,
): ChatEnvelope {
  return { ...envelope, repeated: { ...envelope.repeated, ...describeMemory(recalled, isStored) } };
}
