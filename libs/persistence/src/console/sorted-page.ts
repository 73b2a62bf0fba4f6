import { omitUndefined } from '@mg/contract';
import {
  type FindOptionsWhere,
  LessThan,
  MoreThan,
  type ObjectLiteral,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import type { Page, PageRequest } from './page.js';

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** What rows can be sorted by, over their alias `row`; `key`: by their key alone. No expression is ever null. */
export type SortColumn =
  | { readonly type: 'key' }
  | { readonly type: 'text' | 'bigint'; readonly expression: string };

export type SortColumns<Name extends string = string> = Readonly<Record<Name, SortColumn>>;

/** How a list is sorted; rows that are alike there by their key. */
export interface ListOrder<Name extends string> {
  readonly sort: Name;
  readonly order: SortDirection;
}

/** In the order in which rows were made, which their ids tell. */
export const BY_KEY: SortColumn = { type: 'key' };

export function byText(expression: string): SortColumn {
  return { type: 'text', expression };
}

export function byNumber(expression: string): SortColumn {
  return { type: 'bigint', expression };
}

export const NEWEST_FIRST: ListOrder<'created'> = { sort: 'created', order: 'desc' };

/** Where a page ended: the key of its last row, and what that row was sorted by. */
export interface Cursor {
  readonly key: string;
  readonly value?: string;
}

const LARGEST = 2n ** 63n - 1n;
const BETWEEN = '~';
const TEXT_MARK = 't';

/** A number as it is, a text as base64url behind a `t`. */
export function writeCursor({ key, value }: Cursor, { type }: SortColumn): string {
  if (type === 'key' || value === undefined) return key;
  const written = type === 'text' ? TEXT_MARK + Buffer.from(value).toString('base64url') : value;
  return key + BETWEEN + written;
}

/** @returns `undefined` for what is no cursor of a list that is sorted so. */
export function readCursor(text: string, { type }: SortColumn): Cursor | undefined {
  const [key = '', written, ...more] = text.split(BETWEEN);
  if (more.length > 0 || (written === undefined) !== (type === 'key')) return undefined;
  if (written === undefined) return { key };
  const value = type === 'text' ? readText(written) : readNumber(written);
  return value === undefined ? undefined : { key, value };
}

function readNumber(written: string): string | undefined {
  if (!/^-?\d{1,19}$/.test(written)) return undefined;
  const number = BigInt(written);
  return number > LARGEST || number < -LARGEST ? undefined : written;
}

function readText(written: string): string | undefined {
  if (!written.startsWith(TEXT_MARK)) return undefined;
  const bytes = Buffer.from(written.slice(TEXT_MARK.length), 'base64url');
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) && !text.includes('\0') ? text : undefined;
}

interface SortedQuestion<Row extends ObjectLiteral> {
  readonly where: FindOptionsWhere<Row> | FindOptionsWhere<Row>[];
  readonly column: SortColumn;
  readonly direction: SortDirection;
  readonly page: PageRequest;
  /** The property of the rows' key. */
  readonly key: 'id' | 'slug';
}

/** A page of a list that is sorted by a column. @throws Error for a cursor of another order: the caller has checked it. */
export async function findSorted<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  { where, column, direction, page, key }: SortedQuestion<Row>,
): Promise<Page<Row>> {
  const query = rows.createQueryBuilder('row').where(where);
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  // In brackets: TypeORM takes a bare property for the entity's column, and gives that one the name.
  if (column.type !== 'key')
    query.addSelect(`(${column.expression})`, 'sort_value').orderBy('sort_value', order);
  query.addOrderBy(`row.${key}`, order).limit(page.limit + 1);
  goOnAfter(query, { column, direction, page, key });
  const { entities, raw } = await query.getRawAndEntities<{ sort_value?: string | number }>();
  const last = Math.min(page.limit, entities.length) - 1;
  const lastRow = entities[last];
  if (entities.length <= page.limit || lastRow === undefined) return { rows: entities, next: undefined };
  const value = raw[last]?.sort_value;
  const cursor = omitUndefined({
    key: String(lastRow[key]),
    value: value === undefined ? undefined : String(value),
  });
  return { rows: entities.slice(0, page.limit), next: writeCursor(cursor, column) };
}

function goOnAfter<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { column, direction, page, key }: Omit<SortedQuestion<Row>, 'where'>,
): void {
  if (page.after === undefined) return;
  const cursor = readCursor(page.after, column);
  if (cursor === undefined) throw new Error('The cursor is one of another order.');
  if (column.type === 'key') {
    const beyond = direction === 'asc' ? MoreThan(cursor.key) : LessThan(cursor.key);
    query.andWhere({ [key]: beyond });
    return;
  }
  const sign = direction === 'asc' ? '>' : '<';
  query.andWhere(
    `(${column.expression}, row.${key}) ${sign} (cast(:afterValue as ${column.type}), :afterKey)`,
    {
      afterValue: cursor.value,
      afterKey: cursor.key,
    },
  );
}
