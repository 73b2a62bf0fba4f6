import { type CallerToken, GatewayError } from '@mg/contract';
import type { StoredResponses, StoredTurn } from '@mg/persistence/gateway';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { deleteKeptResponse } from '../operations/chat/delete-kept-response.js';
import { listItems, readStored } from '../operations/chat/recall-conversation.js';
import { countResponsesTokens } from '../operations/count-tokens/count-tokens.js';
import { listPage, needMemory, PUBLIC_ID, readItemQuery } from './item-lists.js';
import { sendJson } from './send-json.js';
import { serve } from './serve-route.js';

const RESPONSES = '/v1/responses';
const DIALECT = 'openai-responses';

/** What the Responses API remembers of a wallet's calls. */
export function registerResponses(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, `${RESPONSES}/input_tokens`, DIALECT, { POST: freeWithBody(gateway, countResponsesTokens) });
  serve(scope, `${RESPONSES}/:responseId`, DIALECT, {
    GET: free(
      gateway,
      async (caller, request, reply) => sendJson(await showResponse(caller, request, gateway), reply),
      gateway.shares.counts,
    ),
    DELETE: free(gateway, (caller, request) => deleteResponse(caller, request, gateway)),
  });
  serve(scope, `${RESPONSES}/:responseId/input_items`, DIALECT, {
    GET: free(
      gateway,
      async (caller, request, reply) => sendJson(await listInput(caller, request, gateway), reply),
      gateway.shares.sums,
    ),
  });
}

async function showResponse({ walletId }: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { stream } = request.query as Record<string, string | undefined>;
  if (stream !== undefined && stream !== 'false') {
    throw new GatewayError(
      'invalid_request',
      'stream must be false: a response that is over is shown whole.',
      {
        param: 'stream',
      },
    );
  }
  const { id, responses } = needId(request, gateway);
  const found = await readStored(responses.find(walletId, id));
  if (!found) throw refuseUnknown();
  return found.response;
}

async function deleteResponse({ walletId }: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { id, responses } = needId(request, gateway);
  const deleted = await readStored(responses.delete(walletId, id));
  if (!deleted) throw refuseUnknown();
  if (deleted.heldBy) await deleteKeptResponse(id, deleted.heldBy, gateway);
  return { id, object: 'response', deleted: true };
}

/** What a response was an answer to: all of its conversation, the last item first unless asked otherwise. */
async function listInput({ walletId }: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { limit, after, order } = readItemQuery(request);
  const { id, responses } = needId(request, gateway);
  const turns = await findTurns(walletId, id, responses);
  const memory = needMemory();
  const earlier = listItems(turns.slice(0, -1), memory);
  const items = memory.listInputItems(id, [...earlier, ...(turns.at(-1)?.input ?? [])]);
  const ordered = order === 'asc' ? items : items.toReversed();
  const rest =
    after === undefined ? ordered : ordered.slice(ordered.findIndex((item) => item.id === after) + 1);
  return listPage(rest.slice(0, limit), rest.length > limit);
}

/** A response of a conversation was an answer to what its call brought; the rest is listed with the conversation. */
async function findTurns(
  walletId: string,
  id: string,
  responses: StoredResponses,
): Promise<readonly StoredTurn[]> {
  const own = await readStored(responses.find(walletId, id));
  if (!own) throw refuseUnknown();
  if ((own.response as { readonly conversation?: unknown }).conversation) return [own];
  const turns = await readStored(responses.findConversation(walletId, id));
  if (turns === 'missing' || turns === 'too-long') throw refuseUnknown();
  return turns;
}

function needId(
  request: FastifyRequest,
  { responses }: GatewayContext,
): { readonly id: string; readonly responses: StoredResponses } {
  const { responseId } = request.params as { responseId: string };
  if (!responses || !PUBLIC_ID.test(responseId)) throw refuseUnknown();
  return { id: responseId, responses };
}

/** For unknown responses and for those of other wallets alike. */
function refuseUnknown(): GatewayError {
  return new GatewayError('not_found', 'There is no response of this id.', { param: 'response_id' });
}
