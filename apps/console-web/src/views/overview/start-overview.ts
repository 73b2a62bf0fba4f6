import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { FIRST_PERIOD } from './usage-period.js';
import { usageQuery } from './use-usage.js';

/**
 * Charts are most of the overview's script. They are a query and not a `lazy` component: React shows what replaces a fallback
 * 300 ms after the fallback at the earliest, however soon it is there.
 */
export const CHARTS = queryOptions({
  queryKey: ['charts'],
  queryFn: () => import('./charts.js'),
  staleTime: Infinity,
  structuralSharing: false,
});

/** Loads the charts, and asks for what they and the figures show, while the view itself is loaded. */
export function startOverview(queries: QueryClient): void {
  void queries.prefetchQuery(CHARTS);
  void queries.prefetchQuery(
    usageQuery('/api/v1/usage/series', { bucket: FIRST_PERIOD.bucket }, FIRST_PERIOD),
  );
  void queries.prefetchQuery(usageQuery('/api/v1/usage', { group_by: 'all' }, FIRST_PERIOD));
}
