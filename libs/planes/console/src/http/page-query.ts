import { GatewayError } from '@mg/contract';
import type { Page, PageRequest } from '@mg/persistence/console';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 200;

/** Query fields of every list. */
export const pageQueryShape = {
  limit: z.coerce
    .number('must be a whole number from 1 to 200')
    .int('must be a whole number from 1 to 200')
    .min(1, 'must be a whole number from 1 to 200')
    .max(LARGEST_LIMIT, 'must be a whole number from 1 to 200')
    .default(DEFAULT_LIMIT)
    .describe('Rows at most.'),
  cursor: z.string().max(512).optional().describe('`next_cursor` of the page before.'),
};

export const pageQuerySchema = z.strictObject(pageQueryShape);

export type PageQuery = z.output<typeof pageQuerySchema>;

const MOST_IDS = 200;
const ID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}';
const IDS = `^${ID}(,${ID}){0,${MOST_IDS - 1}}$`;

/** Query of lists whose rows are looked for by name, or looked up by id. */
export const pickQuerySchema = z.strictObject({
  ...pageQueryShape,
  search: z.string().trim().max(128).optional().describe('Rows whose name holds this, in any case.'),
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.uuid('must be ids separated by commas')).max(MOST_IDS, `must be ${MOST_IDS} ids at most`))
    .optional()
    .meta({ pattern: IDS, description: 'Ids, separated by commas: these rows alone.' }),
});

export type PickQuery = z.output<typeof pickQuerySchema>;

export interface ListAnswer<Row> {
  readonly data: Row[];
  readonly next_cursor: string | null;
}

/**
 * Reads a list's page from its query.
 *
 * @param keySchema what the list's keys look like, so that a made-up cursor is refused before the database sees it.
 * @throws GatewayError `invalid_request` for a cursor that this list did not give.
 */
export function toPageRequest(
  query: { readonly limit: number; readonly cursor?: string | undefined },
  keySchema: z.ZodType<string>,
): PageRequest {
  if (query.cursor === undefined) return { limit: query.limit, after: undefined };
  const key = keySchema.safeParse(Buffer.from(query.cursor, 'base64url').toString('utf8'));
  if (!key.success) {
    throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', {
      param: 'cursor',
    });
  }
  return { limit: query.limit, after: key.data };
}

/** A page as the list's answer. */
export function toListAnswer<Row, View>(page: Page<Row>, toView: (row: Row) => View): ListAnswer<View> {
  return {
    data: page.rows.map(toView),
    next_cursor: page.next === undefined ? null : Buffer.from(page.next).toString('base64url'),
  };
}
