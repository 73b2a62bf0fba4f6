import { parseUsd } from '../../money/usd.js';

/** How much of an amount is used, in per cent with one decimal, rounded down; of nothing all is. More than all is shown as it is. */
export function findUsedShare(used: string, amount: string): number {
  const whole = parseUsd(amount);
  return whole <= 0n ? 100 : Number((parseUsd(used) * 1_000n) / whole) / 10;
}
