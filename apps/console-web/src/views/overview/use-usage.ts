import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/client.js';
import type { AnswerOf, QueryOf } from '../../api/routes.js';
import { beginOf, beginOfBefore, REFRESH_MS, type UsagePeriod } from './usage-period.js';

type UsagePath = '/api/v1/usage' | '/api/v1/usage/series';

/** What TanStack Query needs to ask for usage of a period. */
export function usageQuery<P extends UsagePath>(path: P, query: QueryOf<P>, period: UsagePeriod) {
  return queryOptions({
    queryKey: [path, query, period],
    queryFn: () =>
      callApi<AnswerOf<P, 'get'>>('GET', path, { query: { ...query, from: beginOf(period, Date.now()) } }),
    // What was asked for before the view was there is not asked for again by it.
    staleTime: REFRESH_MS,
  });
}

/** Usage of a period; what is there stays until that of another period has come. */
export function useUsage<P extends UsagePath>(path: P, query: QueryOf<P>, period: UsagePeriod) {
  return useQuery({
    ...usageQuery(path, query, period),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** The sum of a period, and that of the period before it as far as this one has come. */
export function useTotals(period: UsagePeriod) {
  const now = useUsage('/api/v1/usage', { group_by: 'all' }, period);
  const before = useQuery({
    queryKey: ['/api/v1/usage', 'before', period],
    queryFn: () =>
      callApi<AnswerOf<'/api/v1/usage', 'get'>>('GET', '/api/v1/usage', {
        query: { group_by: 'all', ...beginOfBefore(period, Date.now()) },
      }),
    refetchInterval: REFRESH_MS * 12,
  });
  return { now: now.data?.data[0], before: before.data?.data[0], isKnown: now.data !== undefined };
}
