import { countDecimals, showUsd } from '../money/usd.js';

const NO_CENT = '$0.00';

/** An amount in large type: what is less than a cent is written small, where the amount is not less than one itself. */
export function LargeMoney({ usd }: { readonly usd: string }) {
  const shown = showUsd(usd);
  const isTiny = shown.length > NO_CENT.length && shown.includes(NO_CENT);
  const cents = isTiny ? shown.length : shown.indexOf('.') + 1 + 2;
  return (
    <span title={`${usd} USD`}>
      {shown.slice(0, cents)}
      {shown.length > cents && <span className="text-muted text-sm font-medium">{shown.slice(cents)}</span>}
    </span>
  );
}

interface MoneyProps {
  /** USD as a decimal string; shown whole. */
  readonly usd: string;
  /** Decimals of the longest amount of the column: shorter ones are filled up with noughts, but for readers who do not see them. */
  readonly decimals?: number;
  /** Whether what is more than nothing has a plus. */
  readonly isSigned?: boolean;
}

export function Money({ usd, decimals = 0, isSigned = false }: MoneyProps) {
  const missing = Math.max(0, decimals - countDecimals(usd));
  return (
    <span title={`${usd} USD`} className="tabular-nums whitespace-nowrap">
      {showUsd(usd, { isSigned })}
      {missing > 0 && (
        <span aria-hidden="true" className="text-muted select-none max-sm:hidden">
          {'0'.repeat(missing)}
        </span>
      )}
    </span>
  );
}
