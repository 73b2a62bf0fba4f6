import { GatewayError } from '@mg/contract';
import { type ConversationMemory, findChatProtocol } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';

const DEFAULT_PAGE = 20;
const LONGEST_PAGE = 100;
/** Ids that paths and queries may name. */
export const PUBLIC_ID = /^[\w-]{1,256}$/;

/** Which items a caller wants to see. */
export interface ItemQuery {
  readonly limit: number;
  readonly after: string | undefined;
  readonly order: 'asc' | 'desc';
}

/** @throws GatewayError `invalid_request` whose `param` names the parameter. */
export function readItemQuery({ query }: FastifyRequest): ItemQuery {
  const { limit = String(DEFAULT_PAGE), after, order = 'desc' } = query as Record<string, string>;
  const most = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > LONGEST_PAGE)
    throw refuseQuery('limit', `must be an integer from 1 to ${LONGEST_PAGE}`);
  if (order !== 'asc' && order !== 'desc') throw refuseQuery('order', 'must be asc or desc');
  return { limit: most, after, order };
}

export function refuseQuery(param: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${rule}.`, { param });
}

/** A page of items as OpenAI lists them. */
export function listPage(data: readonly { readonly id?: unknown }[], hasMore: boolean) {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** How items of the Responses API are named and shown. */
export function needMemory(): ConversationMemory {
  const { memory } = findChatProtocol('openai-responses');
  if (!memory) throw new Error('The Responses API remembers nothing.');
  return memory;
}
