import type { RowData } from '@tanstack/react-table';
import { countDecimals } from '../money/usd.js';
import { Money } from './money.js';
import type { Column } from './table.js';

interface MoneyOptions<Row> {
  /** USD as a decimal string; nothing is shown for null. */
  readonly usd: (row: Row) => string | null;
  /** Whether what is more than nothing has a plus. */
  readonly isSigned?: boolean;
  /** What an amount looks like. */
  readonly toneOf?: (row: Row) => string;
}

/**
 * A column of amounts of one precision, that of its longest: their decimal points stand below each other and all of them end
 * below the heading.
 */
export function moneyColumn<Row extends RowData>(
  rows: readonly Row[],
  { usd, toneOf, isSigned = false, ...column }: Column<Row> & MoneyOptions<Row>,
): Column<Row> {
  const decimals = Math.max(0, ...rows.map((row) => countDecimals(usd(row) ?? '0')));
  return {
    ...column,
    sortDescFirst: true,
    meta: { ...column.meta, isNumber: true },
    cell: ({ row: { original: row } }) => {
      const amount = usd(row);
      if (amount === null) return null;
      return (
        <span className={toneOf?.(row)}>
          <Money usd={amount} decimals={decimals} isSigned={isSigned} />
        </span>
      );
    },
  };
}
