/** Part of a list: at most `limit` rows after the row whose key is `after`. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Key of the last row when more follow. */
  readonly next: string | undefined;
}

/** Cuts a page out of `limit + 1` rows, the extra one telling that more follow. */
export function cutPage<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const cut = rows.slice(0, limit);
  const last = cut.at(-1);
  return { rows: cut, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}
