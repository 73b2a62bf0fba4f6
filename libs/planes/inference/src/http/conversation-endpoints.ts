import { type CallerToken, GatewayError, newId } from '@mg/contract';
import type { NewItem, StoredConversation, StoredConversations, StoredItem } from '@mg/persistence/gateway';
import { type JsonObject, readChangedConversation, readNewConversation, readNewItems } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { free, type FreeCall, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { readStored } from '../operations/chat/recall-conversation.js';
import { listPage, needMemory, PUBLIC_ID, readItemQuery, refuseQuery } from './item-lists.js';
import { sendJson } from './send-json.js';
import { serve } from './serve-route.js';

const CONVERSATIONS = '/v1/conversations';
const DIALECT = 'openai-responses';

/** A conversation that is asked for, and where it lies. */
interface Place {
  readonly walletId: string;
  readonly id: string;
  readonly conversations: StoredConversations;
}

/**
 * Conversations that responses go on with and add to.
 *
 * @see https://platform.openai.com/docs/api-reference/conversations
 */
export function registerConversations(scope: FastifyInstance, gateway: GatewayContext): void {
  const one = `${CONVERSATIONS}/:conversationId`;
  const counts = gateway.shares.counts;
  serve(scope, CONVERSATIONS, DIALECT, { POST: freeWithBody(gateway, create) });
  serve(scope, one, DIALECT, {
    GET: free(gateway, (caller, request) => show(caller, request, gateway)),
    POST: freeWithBody(gateway, update),
    DELETE: free(gateway, (caller, request) => remove(caller, request, gateway)),
  });
  serve(scope, `${one}/items`, DIALECT, {
    GET: free(
      gateway,
      async (caller, request, reply) => sendJson(await listItems(caller, request, gateway), reply),
      counts,
    ),
    POST: freeWithBody(gateway, addItems),
  });
  serve(scope, `${one}/items/:itemId`, DIALECT, {
    GET: free(
      gateway,
      async (caller, request, reply) => sendJson(await showItem(caller, request, gateway), reply),
      counts,
    ),
    DELETE: free(gateway, (caller, request) => removeItem(caller, request, gateway)),
  });
}

async function create({ body, caller }: FreeCall, { conversations }: GatewayContext) {
  if (!conversations || caller.storesResponses === false) throw refuseStorage();
  const { items, metadata } = readNewConversation(body);
  return toConversation(
    await readStored(conversations.create(caller.walletId, metadata, items.map(nameItem))),
  );
}

async function show(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  return toConversation(needFound(await readStored(conversations.find(walletId, id))));
}

async function update({ body, caller, request }: FreeCall, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  const { metadata } = readChangedConversation(body);
  return toConversation(needFound(await readStored(conversations.update(walletId, id, metadata))));
}

async function remove(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  if (!(await readStored(conversations.delete(walletId, id)))) throw refuseUnknown();
  return { id, object: 'conversation.deleted', deleted: true };
}

async function addItems({ body, caller, request, reply }: FreeCall, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  const items = readNewItems(body).map(nameItem);
  const added = await readStored(conversations.append(walletId, id, items));
  if (added === 'missing') throw refuseUnknown();
  if (added === 'too-long') throw refuseQuery('items', 'are more than the conversation has room for');
  return sendJson(listPage(added.map(toItem), false), reply);
}

async function listItems(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  const { after, ...query } = readItemQuery(request);
  const wanted = after === undefined ? query : { ...query, after };
  const page = await readStored(conversations.list(walletId, id, wanted));
  if (page) return listPage(page.items.map(toItem), page.hasMore);
  needFound(await readStored(conversations.find(walletId, id)));
  throw refuseQuery('after', 'must be the id of an item of the conversation');
}

async function showItem(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  const found = await readStored(conversations.findItem(walletId, id, needItemId(request)));
  if (!found) throw refuseUnknownItem();
  return toItem(found);
}

/** @returns the conversation that the item was deleted from. */
async function removeItem(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { walletId, id, conversations } = needPlace(caller, request, gateway);
  if (!(await readStored(conversations.deleteItem(walletId, id, needItemId(request))))) {
    throw refuseUnknownItem();
  }
  return toConversation(needFound(await readStored(conversations.find(walletId, id))));
}

function nameItem(item: JsonObject): NewItem {
  return { id: needMemory().nameItem(item, newId().replaceAll('-', '')), item };
}

function toItem({ id, item }: StoredItem): JsonObject {
  const [shown] = needMemory().listInputItems(id, [{ ...(item as JsonObject), id }]);
  return shown ?? { id };
}

function toConversation({ id, metadata, createdAt }: StoredConversation) {
  return { id, object: 'conversation', created_at: Math.floor(createdAt.getTime() / 1_000), metadata };
}

/** @throws GatewayError `not_found` for what cannot be an id, and for keys that nothing is kept of. */
function needPlace(
  { walletId, storesResponses }: CallerToken,
  { params }: FastifyRequest,
  { conversations }: GatewayContext,
): Place {
  const { conversationId: id } = params as { conversationId: string };
  if (!conversations || storesResponses === false || !PUBLIC_ID.test(id)) throw refuseUnknown();
  return { walletId, id, conversations };
}

function needItemId({ params }: FastifyRequest): string {
  const { itemId } = params as { itemId: string };
  if (!PUBLIC_ID.test(itemId)) throw refuseUnknownItem();
  return itemId;
}

function needFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw refuseUnknown();
  return found;
}

/** For unknown conversations and for those of other wallets alike. */
function refuseUnknown(): GatewayError {
  return new GatewayError('not_found', 'There is no conversation of this id.', { param: 'conversation_id' });
}

function refuseUnknownItem(): GatewayError {
  return new GatewayError('not_found', 'There is no item of this id in the conversation.', {
    param: 'item_id',
  });
}

function refuseStorage(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'Nothing is stored for this API key (store_responses is false), so it has no conversations.',
    { param: 'items' },
  );
}
