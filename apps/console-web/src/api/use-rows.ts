import { useInfiniteQuery } from '@tanstack/react-query';
import { callApi } from './client.js';
import type { ListPath, RequestOf, RowOf } from './routes.js';

const PAGE_SIZE = 50;

/** The pages of a list that are loaded so far. */
export interface RowPages<Row> {
  readonly rows: readonly Row[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly isLoadingMore: boolean;
  /** Loads the next page; `undefined` on the last. */
  readonly loadMore: (() => void) | undefined;
  readonly retry: () => void;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

interface RowOptions {
  /** Asks again this often, for lists that change by themselves. */
  readonly refreshMs?: number;
}

/** A list of the Console's API, newest first, page by page. */
export function useRows<P extends ListPath>(
  path: P,
  request?: RequestOf<NoInfer<P>, 'get'>,
  { refreshMs }: RowOptions = {},
): RowPages<RowOf<P>> {
  const pages = useInfiniteQuery({
    queryKey: [path, request, 'pages'],
    queryFn: ({ pageParam: cursor }) =>
      callApi<Page<RowOf<P>>>('GET', path, {
        ...request,
        query: { limit: PAGE_SIZE, ...request?.query, cursor },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: refreshMs ?? false,
  });
  return {
    rows: pages.data?.pages.flatMap((page) => page.data) ?? [],
    isPending: pages.isPending,
    error: pages.data ? null : pages.error,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    retry: () => void pages.refetch(),
  };
}
