import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Left out where the table has less than the width of a view on a small screen. */
  readonly hideOnSmallScreens?: boolean;
  /** Shown where there is room for everything. */
  readonly isExtra?: boolean;
  /** Left out where the table is as narrow as a phone, or a card beside another one. */
  readonly hideOnPhones?: boolean;
}

interface TableProps<Row> {
  /** What the rows are, for readers who do not see the heading. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row; its first cell becomes a button of this name. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly nameOf?: (row: Row) => string;
}

export function Table<Row>({ caption, columns, rows, keyOf, onOpen, nameOf }: TableProps<Row>) {
  return (
    <div className="@container overflow-x-auto">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line text-muted border-b text-xs">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={`px-1.5 py-2.5 break-keep sm:px-2 font-medium ${classOf(column)}`}
              >
                {column.title}
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
                      className="block text-left font-medium"
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
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
