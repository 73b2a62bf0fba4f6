import { findChatProtocol, type JsonObject, readCompactEnvelope } from '@mg/protocols';
import type { BilledEndpoint } from '../../call/operation.js';
import { needJson } from '../../call/receive.js';
import { ChatRequest } from '../chat/chat-request.js';
import { inlineStoredFiles } from '../../call/inline-stored-files.js';
import { recallConversation } from '../chat/recall-conversation.js';
import { askForSummary } from './ask-for-summary.js';
import { CompactOperation } from './compact-operation.js';

const DIALECT = 'openai-responses';

/**
 * Compacts a conversation that is about to become too long.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/compact
 */
export const COMPACT: BilledEndpoint = {
  path: '/v1/responses/compact',
  dialect: DIALECT,
  async open(received, request, gateway, call) {
    const protocol = findChatProtocol(DIALECT);
    const asked = needJson(received);
    const recalled = await recallConversation(asked, protocol, call, gateway);
    const whole = recalled?.body ?? asked;
    const { parsed: known } = readCompactEnvelope(whole);
    const listItems = (parsed: JsonObject) => protocol.memory?.readReferences(parsed).input ?? [];
    const named = { body: whole, parsed: known, files: protocol.files };
    const body = (await inlineStoredFiles(named, request, call, gateway)) ?? whole;
    const native = new ChatRequest(DIALECT, readCompactEnvelope(body), body, request.headers);
    const summary = await askForSummary(native, listItems(native.envelope.parsed), call);
    const { walletId } = call.caller;
    return new CompactOperation({ walletId, items: listItems(known), native, summary }, gateway);
  },
};
