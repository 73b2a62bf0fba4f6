import { isDeepStrictEqual } from 'node:util';

/** Of the columns that a row should have, those in which it differs. */
export function findDifferences<Wanted extends object>(
  existing: { readonly [Column in keyof Wanted]: unknown },
  wanted: Wanted,
): Partial<Wanted> {
  const different = Object.entries(wanted).filter(
    ([column, value]) => !isDeepStrictEqual(existing[column as keyof Wanted], value),
  );
  return Object.fromEntries(different) as Partial<Wanted>;
}
