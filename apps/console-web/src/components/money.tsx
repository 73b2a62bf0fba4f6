import { showUsd } from '../money/usd.js';

/** @param props.usd USD as a decimal string; shown whole. */
export function Money({ usd }: { readonly usd: string }) {
  return (
    <span title={`${usd} USD`} className="tabular-nums whitespace-nowrap">
      {showUsd(usd)}
    </span>
  );
}
