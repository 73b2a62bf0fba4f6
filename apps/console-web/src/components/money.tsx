import { showUsd } from '../money/usd.js';

/** An amount in large type: what is less than a cent is written small. */
export function LargeMoney({ usd }: { readonly usd: string }) {
  const shown = showUsd(usd);
  const cents = shown.indexOf('.') + 1 + 2;
  return (
    <span title={`${usd} USD`}>
      {shown.slice(0, cents)}
      {shown.length > cents && <span className="text-muted text-sm font-medium">{shown.slice(cents)}</span>}
    </span>
  );
}

/** @param props.usd USD as a decimal string; shown whole. */
export function Money({ usd }: { readonly usd: string }) {
  return (
    <span title={`${usd} USD`} className="tabular-nums whitespace-nowrap">
      {showUsd(usd)}
    </span>
  );
}
