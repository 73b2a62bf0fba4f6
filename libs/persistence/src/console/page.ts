import { type FindOperator, ILike, In } from 'typeorm';

/** Part of a list: at most `limit` rows after the one that `after` names: `next` of the page before. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

/** Which rows of a list are wanted; all by default. */
export interface RowChoice {
  /** Part of what people know a row by, in upper or lower case. */
  readonly search?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Condition for a column that holds a text somewhere, in upper or lower case. */
export function holding(text: string): FindOperator<string> {
  return ILike(toPattern(text));
}

/** The pattern of LIKE for whatever holds a text. */
export function toPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Condition for the rows of these ids, to spread into a `where`. */
export function among({ ids }: RowChoice): { id?: FindOperator<string> } {
  return ids === undefined ? {} : { id: In([...ids]) };
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Names the last row when more follow: its key, and in a sorted list what it is sorted by. */
  readonly next: string | undefined;
}

/** Cuts a page out of `limit + 1` rows, the extra one telling that more follow. */
export function cutPage<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const cut = rows.slice(0, limit);
  const last = cut.at(-1);
  return { rows: cut, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}
