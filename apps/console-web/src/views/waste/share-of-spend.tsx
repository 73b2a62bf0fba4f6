import { useLanguage } from '../../messages/use-messages.js';
import { parseUsd } from '../../money/usd.js';

interface ShareOfSpendProps {
  /** USD as decimal strings. */
  readonly sum: { readonly cost: string; readonly spend: string };
}

const PER_THOUSAND = 1_000n;

/** Waste as a share of what callers paid; a dash where nobody paid anything. */
export function ShareOfSpend({ sum }: ShareOfSpendProps) {
  const language = useLanguage();
  const spend = parseUsd(sum.spend);
  if (spend <= 0n) return <>–</>;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const perThousand = (parseUsd(sum.cost) * PER_THOUSAND) / spend;
  // What was wasted is never shown as nothing.
  if (perThousand === 0n && parseUsd(sum.cost) > 0n)
    return <>{`<${percent.format(1 / Number(PER_THOUSAND))}`}</>;
  return <>{percent.format(Number(perThousand) / Number(PER_THOUSAND))}</>;
}
