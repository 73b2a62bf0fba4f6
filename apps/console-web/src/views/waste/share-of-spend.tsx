import { useLanguage } from '../../messages/use-messages.js';
import { parseUsd } from '../../money/usd.js';

interface ShareOfSpendProps {
  /** USD as decimal strings. */
  readonly sum: { readonly cost: string; readonly spend: string };
}

/** Hundredths of a per cent, the smallest share that is shown. */
const PER_TEN_THOUSAND = 10_000n;

/** Waste as a share of what callers paid; a dash where nobody paid anything. */
export function ShareOfSpend({ sum }: ShareOfSpendProps) {
  const language = useLanguage();
  const spend = parseUsd(sum.spend);
  if (spend <= 0n) return <>–</>;
  const cost = parseUsd(sum.cost);
  const share = (cost * PER_TEN_THOUSAND) / spend;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  // What is not nothing is not shown as nothing.
  const isTiny = cost > 0n && share === 0n;
  return (
    <>
      {isTiny && '<'}
      {percent.format(Number(isTiny ? 1n : share) / Number(PER_TEN_THOUSAND))}
    </>
  );
}
