import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
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
  /** Whether new rows appear by themselves. */
  readonly isLive: boolean;
  /** Goes back to the first page, so that new rows appear. */
  readonly restart: () => void;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

interface RowOptions {
  /** Asks again this often while one page is shown: rows that are read do not move, and a long list costs no more. */
  readonly refreshMs?: number;
}

/** A list of the Console's API, page by page. Its rows stay while they are asked for in another order. */
export function useRows<P extends ListPath>(
  path: P,
  request?: RequestOf<NoInfer<P>, 'get'>,
  { refreshMs }: RowOptions = {},
): RowPages<RowOf<P>> {
  const queries = useQueryClient();
  const queryKey = [path, request, 'pages'];
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) =>
      callApi<Page<RowOf<P>>>('GET', path, {
        ...request,
        query: { limit: PAGE_SIZE, ...request?.query, cursor },
      }),
    placeholderData: (earlier, query) => (isOfSameRows(query?.queryKey, queryKey) ? earlier : undefined),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: (query) => (isLong(query.state.data) ? false : (refreshMs ?? false)),
  });
  // The same array until rows come: a table takes another one for other rows.
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data]);
  return {
    rows,
    isPending: pages.isPending,
    error: pages.data ? null : pages.error,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    retry: () => void pages.refetch(),
    isLive: refreshMs !== undefined && !isLong(pages.data),
    restart: () => {
      queries.setQueryData<PageData<RowOf<P>>>(queryKey, cutToFirst);
      void pages.refetch();
    },
  };
}

type PageData<Row> = InfiniteData<Page<Row>, string | undefined>;

/** Whether two lists differ by their order alone. */
function isOfSameRows(one: readonly unknown[] | undefined, other: readonly unknown[]): boolean {
  const withoutOrder = (key: readonly unknown[]) =>
    JSON.stringify(key, (name, value: unknown) => (name === 'sort' || name === 'order' ? undefined : value));
  return one !== undefined && withoutOrder(one) === withoutOrder(other);
}

function isLong(data: { readonly pages: readonly unknown[] } | undefined): boolean {
  return data !== undefined && data.pages.length > 1;
}

function cutToFirst<Row>(data: PageData<Row> | undefined): PageData<Row> | undefined {
  return data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}
