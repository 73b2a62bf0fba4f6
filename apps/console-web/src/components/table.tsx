import {
  type Cell,
  type Column as TableColumn,
  type ColumnDef,
  type ColumnVisibilityState,
  columnVisibilityFeature,
  metaHelper,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.js';
import type { Sorting } from './use-sorting.js';

/** How much room a column takes, and where. */
interface ColumnLayout {
  readonly isNumber?: boolean;
  /** Left out where the table has less than the width of a view on a small screen. */
  readonly hideOnSmallScreens?: boolean;
  /** Shown where there is room for everything. */
  readonly isExtra?: boolean;
  /** Left out where the table is as narrow as a phone, or a card beside another one. */
  readonly hideOnPhones?: boolean;
  /** Takes all the room that the other columns leave where there is room for everything, so that those are as wide as what they hold. */
  readonly isRest?: boolean;
}

/** What our tables use of TanStack Table: https://tanstack.com/table/latest/docs/guide/features */
export const FEATURES = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnLayout>(),
});

/**
 * A column as TanStack Table defines it. One with an accessor is one that the API sorts by where the table has a `sorting`:
 * its id is the API's name for it. One without a heading holds what can be done with a row.
 */
export type Column<Row extends RowData> = ColumnDef<typeof FEATURES, Row>;

/** What can be done with a row, at its end. On phones that is on the page of the row, which its name leads to. */
export function actionsColumn<Row extends RowData>(actionsOf: (row: Row) => ReactNode): Column<Row> {
  return {
    id: 'actions',
    header: '',
    meta: { isNumber: true, hideOnPhones: true },
    cell: ({ row }) => actionsOf(row.original),
  };
}

const LINK = 'font-medium underline-offset-4 hover:underline';

/** Spreads what a finger presses over the room of its cell: a row of one line is no higher than a finger needs it. */
const OVER_CELL = 'touch:-my-2 touch:py-2 sm:touch:-my-1 sm:touch:py-1';

/** What a link in the first cell looks like: the name of the row, which leads to its page. */
export const ROW_LINK = `${LINK} ${OVER_CELL} touch:flex touch:min-h-11 touch:items-center`;

/** The same above another line of the cell: it lies over that line for a finger, and takes no more room than its text. */
export const ROW_LINK_ABOVE = `${LINK} touch:relative touch:block touch:-my-3.5 touch:py-3.5`;

export interface TableProps<Row extends RowData> {
  /** What the rows are, for readers who do not see the heading. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row; its first cell becomes a button of this name. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly nameOf?: (row: Row) => string;
  /** What stands below the first cell, and is no part of the button that opens the row. */
  readonly below?: (row: Row) => ReactNode;
  /** How the API has sorted the rows, where that can be chosen. */
  readonly sorting?: Sorting | undefined;
  /** The columns that somebody chose; as many as there is room for without. */
  readonly chosen?: ColumnVisibilityState | undefined;
  /** Whether the headings stay in sight below the heading of the drawer that the table stands in; it is never wider than that. */
  readonly hasFixedHead?: boolean;
}

/** Of a table with a fixed head: the edge of a row does not come along. */
const FIXED_HEAD = 'bg-surface sticky top-14 shadow-[inset_0_-1px_var(--color-line)]';

// A new object at each render would be a change of the table's state.
const UNSORTED: SortingState = [];
const NOT_CHOSEN: ColumnVisibilityState = {};

export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, onOpen, sorting, chosen = NOT_CHOSEN, hasFixedHead = false } = props;
  const table = useTable({
    features: FEATURES,
    columns,
    data: rows,
    getRowId: keyOf,
    defaultColumn: { sortDescFirst: false },
    enableSorting: sorting !== undefined,
    enableMultiSort: false,
    manualSorting: true,
    state: { sorting: sorting?.state ?? UNSORTED, columnVisibility: chosen },
    onSortingChange: (updater) => sorting?.onChange(updater),
  });
  const classOf = toClassOf<Row>(chosen !== NOT_CHOSEN);
  return (
    <div className={`@container ${hasFixedHead ? '' : 'overflow-x-auto'}`}>
      <table className="w-full border-collapse text-left text-pretty max-sm:text-[0.8125rem] [&_.text-right+:not(.text-right)]:pl-4 sm:[&_.text-right+:not(.text-right)]:pl-6">
        <caption className="sr-only">{caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-line text-muted border-b text-xs text-balance">
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={directionOf(header.column)}
                  className={`px-1.5 py-2.5 break-keep sm:px-2 font-medium @2xl:@max-4xl:whitespace-nowrap @5xl:whitespace-nowrap ${hasFixedHead ? FIXED_HEAD : ''} ${classOf(header.column)}`}
                >
                  <Heading column={header.column} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              onClick={onOpen && (() => onOpen(row.original))}
              className={`border-line border-b last:border-0 ${onOpen ? 'hover:bg-raised cursor-pointer' : ''}`}
            >
              {row.getVisibleCells().map((cell, index) => (
                <td
                  key={cell.id}
                  className={`px-1.5 py-2 sm:h-9 sm:px-2 ${props.below ? 'sm:py-1.5' : 'sm:py-1'} ${titleOf(cell.column) === '' ? 'touch:py-0' : ''} ${classOf(cell.column)} ${cell.column.columnDef.meta?.isNumber ? '@lg:whitespace-nowrap' : '@max-lg:wrap-anywhere'}`}
                >
                  {index === 0 ? (
                    <FirstCell {...props} row={row.original} content={draw(cell)} />
                  ) : (
                    draw(cell)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * What a cell shows. Its definition is called, and made no component of as `FlexRender` does: columns are written anew at each
 * render, so that React would take each cell for another one, and forget its state and its focus.
 */
function draw<Row extends RowData>(cell: Cell<typeof FEATURES, Row>): ReactNode {
  const { cell: template } = cell.column.columnDef;
  return typeof template === 'function' ? template(cell.getContext()) : template;
}

interface FirstCellProps<Row extends RowData> extends Pick<TableProps<Row>, 'onOpen' | 'nameOf' | 'below'> {
  readonly row: Row;
  readonly content: ReactNode;
}

/** What a row is known by; it opens the row where that can be opened. */
function FirstCell<Row extends RowData>({ row, content, onOpen, nameOf, below }: FirstCellProps<Row>) {
  return (
    <>
      {onOpen ? (
        <button
          type="button"
          aria-label={nameOf?.(row)}
          // With another line below it the row is high enough for a finger.
          className={`block text-left font-medium ${below ? '' : `${OVER_CELL} touch:min-h-11`}`}
          onClick={(event) => {
            event.stopPropagation();
            onOpen(row);
          }}
        >
          {content}
        </button>
      ) : (
        content
      )}
      {below && <div>{below(row)}</div>}
    </>
  );
}

/** Every heading of ours is a text. */
export function titleOf<Row extends RowData>(column: TableColumn<typeof FEATURES, Row>): string {
  const { header } = column.columnDef;
  return typeof header === 'string' ? header : '';
}

interface HeadingProps<Row extends RowData> {
  readonly column: TableColumn<typeof FEATURES, Row>;
}

/** What has no title holds what can be done with a row: that is said to readers who do not see the buttons. */
function Heading<Row extends RowData>({ column }: HeadingProps<Row>) {
  const title = titleOf(column);
  const { actions } = useMessages();
  if (!column.getCanSort()) return title === '' ? <span className="sr-only">{actions.ofRow}</span> : title;
  const direction = column.getIsSorted();
  return (
    <button
      type="button"
      className={`hover:text-ink touch:-my-2.5 touch:min-h-11 touch:min-w-11 [text-align:inherit] font-medium ${direction ? 'text-ink' : ''}`}
      onClick={() => column.toggleSorting()}
    >
      {title}
      {direction && <span aria-hidden="true"> {ARROWS[direction]}</span>}
    </button>
  );
}

const ARROWS = { asc: '↑', desc: '↓' } as const;
const ARIA_SORTS = { asc: 'ascending', desc: 'descending' } as const;

function directionOf<Row extends RowData>(column: TableColumn<typeof FEATURES, Row>) {
  if (!column.getCanSort()) return undefined;
  const direction = column.getIsSorted();
  return direction ? ARIA_SORTS[direction] : 'none';
}

/** @param isChosen whether somebody chose the columns: those are shown on every screen. */
function toClassOf<Row extends RowData>(isChosen: boolean) {
  return ({ columnDef: { meta } }: TableColumn<typeof FEATURES, Row>): string =>
    [
      meta?.isNumber && 'text-right tabular-nums',
      !isChosen && meta?.hideOnSmallScreens && 'hidden @4xl:table-cell',
      !isChosen && meta?.isExtra && 'hidden @6xl:table-cell',
      meta?.hideOnPhones && '@max-sm:hidden',
      meta?.isRest && '@4xl:w-full',
    ]
      .filter(Boolean)
      .join(' ');
}
