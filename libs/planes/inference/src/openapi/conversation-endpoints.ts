import { omitUndefined } from '@mg/contract';
import { count, type Endpoint, json, type Parameter, text } from './endpoint.js';
import type { SchemaName } from './schemas.js';

const CONVERSATIONS = '/v1/conversations';
const ONE = `${CONVERSATIONS}/{conversation_id}`;
const CONVERSATION_IN_PATH: Parameter = { name: 'conversation_id', in: 'path', required: true, schema: text };
const ITEM_IN_PATH: Parameter = { name: 'item_id', in: 'path', required: true, schema: text };

/** Which items are listed. */
export const ITEM_PAGE: readonly Parameter[] = [
  { name: 'limit', in: 'query', schema: count(100, 20) },
  { name: 'order', in: 'query', schema: { ...text, enum: ['asc', 'desc'], default: 'desc' } },
  { name: 'after', in: 'query', schema: text },
];

/** Conversations that responses go on with and add to. */
export const CONVERSATION_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'post',
    path: CONVERSATIONS,
    summary: 'Begins a conversation; free',
    cost: 'free',
    request: { 'application/json': 'NewConversation' },
    answers: { 200: json('The conversation.', 'Conversation') },
    failures: ['insufficient_balance'],
  },
  { ...one('get', ONE, 'A conversation; free'), answers: { 200: json('It.', 'Conversation') } },
  {
    ...one('post', ONE, 'Changes the metadata of a conversation; free', 'ChangedConversation'),
    answers: { 200: json('The conversation.', 'Conversation') },
  },
  {
    ...one('delete', ONE, 'Deletes a conversation and its items; free'),
    answers: { 200: json('It is deleted.', 'DeletedConversation') },
  },
  {
    ...one('get', `${ONE}/items`, 'The items of a conversation; free'),
    parameters: [CONVERSATION_IN_PATH, ...ITEM_PAGE],
    answers: { 200: json('The items.', 'ConversationItems') },
  },
  {
    ...one('post', `${ONE}/items`, 'Adds items to a conversation; free', 'NewConversationItems'),
    answers: { 200: json('The items, with their ids.', 'ConversationItems') },
  },
  {
    ...one('get', `${ONE}/items/{item_id}`, 'An item of a conversation; free'),
    parameters: [CONVERSATION_IN_PATH, ITEM_IN_PATH],
    answers: { 200: json('The item.', 'ConversationItem') },
  },
  {
    ...one('delete', `${ONE}/items/{item_id}`, 'Deletes an item of a conversation; free'),
    parameters: [CONVERSATION_IN_PATH, ITEM_IN_PATH],
    answers: { 200: json('The conversation that it was deleted from.', 'Conversation') },
  },
];

function one(
  method: Endpoint['method'],
  path: string,
  summary: string,
  request?: SchemaName,
): Omit<Endpoint, 'answers'> {
  return {
    method,
    path,
    summary,
    cost: 'free',
    parameters: [CONVERSATION_IN_PATH],
    failures: request ? ['not_found', 'insufficient_balance'] : ['not_found'],
    ...omitUndefined({ request: request ? { 'application/json': request } : undefined }),
  };
}
