import { showUsd } from '../../money/usd.js';
import { findUsedShare } from './used-share.js';

const ALL = 100;
const NEAR = 80;

interface UsedBarProps {
  /** What is spent, for readers who do not see the bar. */
  readonly label: string;
  /** USD. */
  readonly used: string;
  readonly amount: string;
  /** Whether calls are refused for it, although not all is spent. */
  readonly isReached?: boolean;
}

/** How much of an amount of money is used. */
export function UsedBar({ label, used, amount, isReached = false }: UsedBarProps) {
  const share = findUsedShare(used, amount);
  const isFull = isReached || share >= ALL;
  const tone = isFull ? 'bg-bad' : share >= NEAR ? 'bg-warn' : 'bg-accent';
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={ALL}
      aria-valuenow={Math.min(share, ALL)}
      title={`${label}: ${showUsd(used)} / ${showUsd(amount)}`}
      className="bg-raised h-1.5 w-full min-w-16 overflow-hidden rounded-full"
    >
      <div
        className={`h-full rounded-full ${tone}`}
        style={{ width: `${isFull ? ALL : Math.min(share, ALL)}%` }}
      />
    </div>
  );
}
