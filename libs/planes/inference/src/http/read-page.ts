import { GatewayError } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { OPENAI_PAGE } from '../edge/page-sizes.js';

/** Which rows of a list a client of OpenAI's API asks for. */
export interface Page {
  readonly limit: number;
  /** The last row of the page before. */
  readonly after: string | undefined;
  readonly order: 'asc' | 'desc';
}

/** @throws GatewayError `invalid_request` naming the parameter. */
export function readPage({ query }: FastifyRequest): Page {
  const { limit = String(OPENAI_PAGE.usual), after, order = 'desc' } = query as Record<string, string>;
  const most = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > OPENAI_PAGE.most) {
    throw refuse('limit', `must be an integer from 1 to ${OPENAI_PAGE.most}`);
  }
  if (order !== 'asc' && order !== 'desc') throw refuse('order', 'must be asc or desc');
  if (after !== undefined && typeof after !== 'string') throw refuse('after', 'is there twice');
  return { limit: most, after, order };
}

/** One page of a list, of which one row more than fits was read. */
export function writePage<Row extends { readonly id: string }>(rows: readonly Row[], limit: number) {
  const data = rows.slice(0, limit);
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rows.length > limit,
  };
}

function refuse(param: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${rule}.`, { param });
}
