import { countDecimals } from '../money/usd.js';
import { Money } from './money.js';
import type { Column } from './table.js';

interface MoneyColumnOptions<Row> extends Omit<Column<Row>, 'cell' | 'isNumber'> {
  /** USD as a decimal string; nothing is shown for null. */
  readonly usd: (row: Row) => string | null;
}

/** A column of amounts whose decimal points stand below each other, however small some of them are. */
export function moneyColumn<Row>(
  rows: readonly Row[],
  { usd, ...column }: MoneyColumnOptions<Row>,
): Column<Row> {
  const decimals = Math.max(0, ...rows.map((row) => countDecimals(usd(row) ?? '0')));
  return {
    ...column,
    isNumber: true,
    cell: (row) => {
      const amount = usd(row);
      return amount !== null && <Money usd={amount} decimals={decimals} />;
    },
  };
}
