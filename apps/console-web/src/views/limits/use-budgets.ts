import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import type { Budget } from '../../api/console-api.js';

const IDS_AT_ONCE = 100;
const REFRESH_MS = 15_000;

/** Finds the budgets of keys, wallets and users with what is spent of them. */
export function useBudgets(ids: readonly string[]): (id: string) => readonly Budget[] {
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
    ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE).join(','),
  );
  const answers = useQueries({
    queries: parts.map((part) => ({
      ...apiQuery('/api/v1/budgets', { query: { ids: part } }),
      refetchInterval: REFRESH_MS,
    })),
  });
  const bySubject = Map.groupBy(
    answers.flatMap((answer) => answer.data?.data ?? []),
    (budget) => budget.subject_id,
  );
  return (id) => bySubject.get(id) ?? [];
}
