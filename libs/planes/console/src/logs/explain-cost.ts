import { formatUsd, type NanoUsd, type Price, type Usage } from '@mg/contract';
import { costOfCall } from '@mg/pricing';

/** One line of a call's bill as it is shown: `amount` and `unit_price` in USD, the price per the meter's own unit. */
interface CostLineView {
  readonly meter: string;
  readonly quantity: number;
  readonly unit_price: string;
  readonly amount: string;
}

/**
 * How a charge came about, line by line; the amounts sum to the charge. Where the ledger charged another sum than
 * usage and price make, the difference is a line of its own.
 */
export function explainCost(charged: NanoUsd, usage: Usage, price: Price | undefined): CostLineView[] {
  if (charged === 0n) return [];
  const bill = costOfCall(usage, price ?? {});
  const lines = bill.lines.map((line) => ({
    meter: line.meter as string,
    quantity: line.quantity,
    unit_price: formatUsd(line.unitPrice),
    amount: formatUsd(line.amount),
  }));
  const difference = charged - bill.total;
  if (difference !== 0n) {
    const amount = formatUsd(difference);
    lines.push({ meter: 'adjustment', quantity: 1, unit_price: amount, amount });
  }
  return lines;
}
