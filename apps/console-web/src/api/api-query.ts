import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from './client.js';
import type { AnswerOf, PathOf, RequestArgument } from './routes.js';

/** What TanStack Query needs to ask a route; its key begins with the route. */
export function apiQuery<P extends PathOf<'get'>>(path: P, ...[request]: RequestArgument<P, 'get'>) {
  return queryOptions({
    queryKey: [path, request],
    queryFn: () => callApi<AnswerOf<P, 'get'>>('GET', path, request),
  });
}

/** How to ask again for what has changed: every query of these routes and of those below them. */
export function useRefresh(): (...paths: readonly PathOf<'get'>[]) => Promise<void> {
  const queries = useQueryClient();
  return (...paths) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [route] }) =>
        typeof route === 'string' && paths.some((path) => route.startsWith(path)),
    });
}
