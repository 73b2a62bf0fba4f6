import { type NanoUsd, NO_USAGE, omitUndefined, parsePrice, type PriceSheet } from '@mg/contract';
import { costOfCall } from '@mg/pricing';

/** What a video of so many whole seconds costs, by the rates of a variant of the price where it has some. */
export function costOfVideo(seconds: number, sheet: PriceSheet, variant: string | undefined): NanoUsd {
  const usage = { ...NO_USAGE, seconds, ...omitUndefined({ variant }) };
  return costOfCall(usage, parsePrice(sheet)).total;
}
