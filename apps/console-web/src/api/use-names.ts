import { useQueries } from '@tanstack/react-query';
import { callApi } from './client.js';

/** Lists whose rows people know by a name, and that can be searched by it. */
export type NamedPath = '/api/v1/tokens' | '/api/v1/wallets' | '/api/v1/users' | '/api/v1/projects';

/** What those rows have in common. */
export interface NamedRow {
  readonly id: string;
  readonly name: string;
  /** Users are known by it. */
  readonly email?: string;
  /** Keys of the same name are told apart by it. */
  readonly key_hint?: string;
}

export interface NamedRows {
  readonly data: readonly NamedRow[];
}

const IDS_AT_ONCE = 100;
const NAMES_STALE_MS = 60_000;

export function nameOf(row: NamedRow): string {
  return row.email ?? row.name;
}

/** Finds the names of rows by id, whatever page of the list they are on; `undefined` until it is known. */
export function useNames(
  path: NamedPath,
  ids: readonly (string | null)[],
  { enabled = true }: { readonly enabled?: boolean } = {},
): (id: string) => string | undefined {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  const parts = Array.from({ length: Math.ceil(wanted.length / IDS_AT_ONCE) }, (_, part) =>
    wanted.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE).join(','),
  );
  const answers = useQueries({
    queries: parts.map((part) => ({
      queryKey: [path, 'names', part],
      queryFn: () => callApi<NamedRows>('GET', path, { query: { ids: part, limit: IDS_AT_ONCE } }),
      staleTime: NAMES_STALE_MS,
      enabled,
    })),
  });
  const names = new Map(
    answers.flatMap((answer) => (answer.data?.data ?? []).map((row) => [row.id, nameOf(row)] as const)),
  );
  return (id) => names.get(id);
}
