import { GatewayError } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import type { PageSize } from '../edge/page-sizes.js';

/** Which rows of a list a client of Anthropic's API asks for. */
export interface CursorPage {
  readonly limit: number;
  /** The last row of the page before. */
  readonly after: string | undefined;
  /** The first row of the page after; never beside `after`. */
  readonly before: string | undefined;
}

/** @throws GatewayError `invalid_request` naming the parameter. */
export function readCursorPage({ query }: FastifyRequest, size: PageSize): CursorPage {
  const { limit = String(size.usual), after_id, page, before_id: before } = query as Record<string, string>;
  const most = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > size.most) throw refuse('limit', `must be an integer from 1 to ${size.most}`);
  for (const [name, value] of Object.entries({ after_id, page, before_id: before })) {
    if (value !== undefined && typeof value !== 'string') throw refuse(name, 'is there twice');
  }
  const after = after_id ?? page;
  if (after !== undefined && before !== undefined) throw refuse('before_id', 'stands beside after_id');
  return { limit: most, after, before };
}

/** One page of a list, of which one row more than fits was read. */
export function writeCursorPage<Row extends { readonly id: string }, Shown>(
  found: readonly Row[],
  { limit, before }: CursorPage,
  show: (row: Row) => Shown,
) {
  // Of a page before a row, the one that is too many is the newest.
  const rows = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return {
    data: rows.map(show),
    first_id: rows[0]?.id ?? null,
    last_id: rows.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}

function refuse(param: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${rule}.`, { param });
}
