import {
  type ChatEnvelope,
  findChatProtocol,
  type JsonObject,
  readCompactEnvelope,
  stringifyInSlices,
  writeSummaryRequest,
} from '@mg/protocols';
import type { BilledEndpoint } from '../../call/operation.js';
import { needJson } from '../../call/receive.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { parseWritten } from '../../edge/read-json-body.js';
import { ChatRequest } from '../chat/chat-request.js';
import { inlineStoredFiles } from '../../call/inline-stored-files.js';
import { recallConversation } from '../chat/recall-conversation.js';
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
    const envelope = readCompactEnvelope(body);
    const parsed = writeSummaryRequest(envelope.parsed, listItems(envelope.parsed));
    const written = await stringifyInSlices(parsed, nextTurn);
    call.lease.take(written.length);
    await parseWritten(written);
    const question: ChatEnvelope = { ...envelope, parsed };
    return new CompactOperation(
      {
        walletId: call.caller.walletId,
        items: listItems(known),
        native: new ChatRequest(DIALECT, envelope, body, request.headers),
        summary: new ChatRequest(DIALECT, question, written, request.headers),
      },
      gateway,
    );
  },
};
