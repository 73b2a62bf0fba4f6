import { REFUSALS, slugSchema } from '@mg/contract';
import {
  type Page,
  type PageRequest,
  readCursor,
  SORT_DIRECTIONS,
  type SortColumns,
  type SortDirection,
} from '@mg/persistence/console';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 200;

/**
 * Query fields of a list.
 *
 * @param key what the keys of its rows look like: a cursor is that of the last row before, and a made-up one is refused before
 *   the database sees it.
 */
export function pageShapeOf<Key extends z.ZodString | z.ZodUUID>(key: Key) {
  return {
    limit: z.coerce
      .number('must be a whole number from 1 to 200')
      .int('must be a whole number from 1 to 200')
      .min(1, 'must be a whole number from 1 to 200')
      .max(LARGEST_LIMIT, 'must be a whole number from 1 to 200')
      .default(DEFAULT_LIMIT)
      .describe('Rows at most.'),
    cursor: key.optional().describe('`next_cursor` of the page before.'),
  };
}

/** Of lists whose rows have ids. */
export const pageQueryShape = pageShapeOf(z.uuid(REFUSALS.no_cursor));

export const pageQuerySchema = z.strictObject(pageQueryShape);

export type PageQuery = z.output<typeof pageQuerySchema>;

/** Of lists of models. */
export const slugPageShape = pageShapeOf(slugSchema);

const MOST_IDS = 200;
const ID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}';
const IDS = `^${ID}(,${ID}){0,${MOST_IDS - 1}}$`;

/** Query field of lists whose rows are looked for by name. */
export const searchShape = {
  search: z.string().trim().max(128).optional().describe('Rows whose name holds this, in any case.'),
};

/** Query of lists whose rows are looked for by name, or looked up by id. */
export const pickQuerySchema = z.strictObject({
  ...pageQueryShape,
  ...searchShape,
  ids: z
    .string()
    .meta({ pattern: IDS })
    .transform((text) => text.split(','))
    .pipe(z.array(z.uuid(REFUSALS.no_ids)).max(MOST_IDS, `must be ${MOST_IDS} ids at most`))
    .optional()
    .describe('Ids, separated by commas: these rows alone.'),
});

export type PickQuery = z.output<typeof pickQuerySchema>;

/** A row's key, and in a sorted list what it is sorted by: a number, or a text as base64url. */
const SORTED_CURSOR = /^[A-Za-z0-9._:/@-]{1,128}(~(-?[0-9]{1,19}|t[A-Za-z0-9_-]{0,1900}))?$/;

/** Query fields of a list that can be sorted, beside `sort` itself. */
export function sortedShape(byDefault: SortDirection) {
  return {
    cursor: z
      .string()
      .regex(SORTED_CURSOR, REFUSALS.no_cursor)
      .optional()
      .describe('`next_cursor` of the page before, which was sorted in the same way.'),
    order: z.enum(SORT_DIRECTIONS).default(byDefault),
  };
}

/** What a list can be sorted by. */
export function namesOf<Name extends string>(columns: SortColumns<Name>): Name[] {
  return Object.keys(columns) as Name[];
}

/**
 * Whether a query's cursor is one of its order: a made-up one is refused before the database sees it.
 *
 * @param key what the keys of the rows look like.
 */
export function hasOwnCursor<Name extends string>(columns: SortColumns<Name>, key: z.ZodType) {
  return ({ cursor, sort }: { readonly cursor?: string | undefined; readonly sort: Name }): boolean =>
    cursor === undefined || key.safeParse(readCursor(cursor, columns[sort])?.key).success;
}

/** What is said of a cursor that is none. */
export const FOREIGN_CURSOR = { path: ['cursor'], message: REFUSALS.no_cursor };

export interface ListAnswer<Row> {
  readonly data: Row[];
  readonly next_cursor: string | null;
}

/** A list's page from its query. */
export function toPageRequest({ limit, cursor }: Pick<PageQuery, 'limit' | 'cursor'>): PageRequest {
  return { limit, after: cursor };
}

/** A page as the list's answer. */
export function toListAnswer<Row, View>(page: Page<Row>, toView: (row: Row) => View): ListAnswer<View> {
  return { data: page.rows.map(toView), next_cursor: page.next ?? null };
}
