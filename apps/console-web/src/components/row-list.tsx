import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { RowPages } from '../api/use-rows.js';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { ErrorNotice } from './error-notice.js';
import { Skeleton } from './skeleton.js';
import { Table, type TableProps } from './table.js';

interface RowListProps<Row extends RowData> extends Omit<TableProps<Row>, 'rows'> {
  readonly pages: RowPages<Row>;
  /** Something that the rows are as high as is not known yet: what is below them would move once it is. */
  readonly isPending?: boolean;
  /** Shown when there is no row. */
  readonly empty: ReactNode;
}

/** A list of the API as a table: while it loads, when it fails, when it is empty, and page by page. */
export function RowList<Row extends RowData>({
  pages,
  isPending = false,
  empty,
  ...table
}: RowListProps<Row>) {
  const { actions } = useMessages();
  if (pages.isPending) return <Skeleton lines={6} />;
  if (pages.error) return <ErrorNotice error={pages.error} onRetry={pages.retry} />;
  if (pages.rows.length === 0) return empty;
  if (isPending) return <Skeleton lines={6} />;
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
