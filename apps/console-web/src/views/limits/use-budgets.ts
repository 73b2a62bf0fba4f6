import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import type { Budget } from '../../api/console-api.js';

const IDS_AT_ONCE = 100;
const REFRESH_MS = 15_000;

/** Budgets of some keys, wallets and users. */
export interface Budgets {
  /** Nothing has been learnt of any of them yet: what stands above or beside something to press is shown once it is. */
  readonly isPending: boolean;
  readonly of: (id: string) => readonly Budget[];
}

/** Finds the budgets of keys, wallets and users with what is spent of them; the earlier ones stay while more are asked for. */
export function useBudgets(ids: readonly string[]): Budgets {
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
    ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE).join(','),
  );
  const budgets = useQueries({
    queries: parts.map((part) => ({
      ...apiQuery('/api/v1/budgets', { query: { ids: part } }),
      refetchInterval: REFRESH_MS,
    })),
    combine: joinBudgets,
  });
  const [latest, setLatest] = useState(budgets);
  if (budgets !== undefined && budgets !== latest) setLatest(budgets);
  const known = budgets ?? latest;
  const bySubject = Map.groupBy(known ?? [], (budget) => budget.subject_id);
  return { isPending: known === undefined, of: (id) => bySubject.get(id) ?? [] };
}

/** @returns `undefined` while an answer is waited for; one that failed holds nothing up. */
function joinBudgets(
  answers: readonly UseQueryResult<{ readonly data: readonly Budget[] }>[],
): readonly Budget[] | undefined {
  const isWaiting = answers.some(({ data, failureCount }) => data === undefined && failureCount === 0);
  if (answers.length === 0 || isWaiting) return undefined;
  return answers.flatMap(({ data }) => data?.data ?? []);
}
