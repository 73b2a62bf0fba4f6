import type { ReactNode } from 'react';
import type { RowPages } from '../api/use-rows.js';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { ErrorNotice } from './error-notice.js';
import { Skeleton } from './skeleton.js';
import { type Column, Table } from './table.js';
import type { Sorting } from './use-sorting.js';

interface RowListProps<Row> {
  readonly caption: string;
  readonly pages: RowPages<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly nameOf?: (row: Row) => string;
  /** How it is sorted; its columns say by what. */
  readonly sorting?: Sorting;
  /** Shown when there is no row. */
  readonly empty: ReactNode;
}

/** A list of the API as a table: while it loads, when it fails, when it is empty, and page by page. */
export function RowList<Row>({ pages, empty, ...table }: RowListProps<Row>) {
  const { actions } = useMessages();
  if (pages.isPending) return <Skeleton lines={6} />;
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />;
  if (pages.rows.length === 0) return empty;
  return (
    <>
      <Table {...table} rows={pages.rows} />
      {pages.loadMore && (
        <div className="flex justify-center pt-4">
          <Button onClick={pages.loadMore} disabled={pages.isLoadingMore}>
            {actions.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
