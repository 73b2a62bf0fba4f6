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
  return <>{percent.format(Number((parseUsd(sum.cost) * PER_THOUSAND) / spend) / Number(PER_THOUSAND))}</>;
}
