import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.js';
import type { Sorting } from './use-sorting.js';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Of the first column: what stands below it, and is no part of the button that opens the row. */
  readonly below?: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** What the API sorts by for this column; such a heading is a button. */
  readonly sort?: string;
  /** Left out where the table has less than the width of a view on a small screen. */
  readonly hideOnSmallScreens?: boolean;
  /** Shown where there is room for everything. */
  readonly isExtra?: boolean;
  /** Left out where the table is as narrow as a phone, or a card beside another one. */
  readonly hideOnPhones?: boolean;
}

/** What can be done with a row, at its end. On phones that is on the page of the row, which its name leads to. */
export function actionsColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { title: '', isNumber: true, hideOnPhones: true, cell };
}

/** What a link in the first cell looks like: the name of the row, which leads to its page. */
export const ROW_LINK =
  'font-medium underline-offset-4 hover:underline touch:flex touch:min-h-11 touch:items-center';

interface TableProps<Row> {
  /** What the rows are, for readers who do not see the heading. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row; its first cell becomes a button of this name. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly nameOf?: (row: Row) => string;
  readonly sorting?: Sorting | undefined;
}

export function Table<Row>({ caption, columns, rows, keyOf, onOpen, nameOf, sorting }: TableProps<Row>) {
  return (
    <div className="@container overflow-x-auto">
      <table className="w-full border-collapse text-left max-sm:text-[0.8125rem]">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line text-muted border-b text-xs">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                aria-sort={sorting && directionOf(column, sorting)}
                className={`px-1.5 py-2.5 break-keep sm:px-2 font-medium ${classOf(column)}`}
              >
                <Heading column={column} sorting={sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              onClick={onOpen && (() => onOpen(row))}
              className={`border-line border-b last:border-0 ${onOpen ? 'hover:bg-raised cursor-pointer' : ''}`}
            >
              {columns.map((column, index) => (
                <td
                  key={column.title}
                  className={`px-1.5 py-2 sm:h-9 sm:px-2 sm:py-1 ${classOf(column)} ${column.isNumber ? '@lg:whitespace-nowrap' : '@max-lg:wrap-anywhere'}`}
                >
                  {index === 0 && onOpen ? (
                    <button
                      type="button"
                      aria-label={nameOf?.(row)}
                      // With another line below it the row is high enough for a finger.
                      className={`block text-left font-medium ${column.below ? '' : 'touch:min-h-11'}`}
                      onClick={(event) => {
                        event.stopPropagation();
                        onOpen(row);
                      }}
                    >
                      {column.cell(row)}
                    </button>
                  ) : (
                    column.cell(row)
                  )}
                  {column.below && <div>{column.below(row)}</div>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}

/** What has no title holds what can be done with a row: that is said to readers who do not see the buttons. */
function Heading<Row>({ column, sorting }: HeadingProps<Row>) {
  const { actions } = useMessages();
  if (sorting && column.sort !== undefined) return <SortButton column={column} sorting={sorting} />;
  return column.title === '' ? <span className="sr-only">{actions.ofRow}</span> : column.title;
}

const ARIA_SORTS = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { ascending: '↑', descending: '↓' } as const;

function directionOf<Row>({ sort }: Column<Row>, sorting: Sorting): keyof typeof ARROWS | 'none' | undefined {
  if (sort === undefined) return undefined;
  if (sorting.sort !== sort) return 'none';
  return ARIA_SORTS[sorting.order === 'asc' ? 'asc' : 'desc'];
}

interface SortButtonProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
}

/** Numbers are sorted from the largest down first, texts from A on. */
function SortButton<Row>({ column, sorting }: SortButtonProps<Row>) {
  const direction = directionOf(column, sorting) ?? 'none';
  return (
    <button
      type="button"
      className={`hover:text-ink touch:-my-2.5 touch:min-h-11 touch:min-w-11 [text-align:inherit] font-medium ${direction === 'none' ? '' : 'text-ink'}`}
      onClick={() => sorting.onSort(column.sort ?? '', column.isNumber ? 'desc' : 'asc')}
    >
      {column.title}
      {direction !== 'none' && <span aria-hidden="true"> {ARROWS[direction]}</span>}
    </button>
  );
}

function classOf<Row>({ isNumber, hideOnSmallScreens, isExtra, hideOnPhones }: Column<Row>): string {
  return [
    isNumber && 'text-right tabular-nums',
    hideOnSmallScreens && 'hidden @4xl:table-cell',
    isExtra && 'hidden @6xl:table-cell',
    hideOnPhones && '@max-sm:hidden',
  ]
    .filter(Boolean)
    .join(' ');
}
