import { isDeepStrictEqual } from 'node:util';
import { newId, omitUndefined, parsePrice, type PriceSheet } from '@mg/contract';
import type { ConsoleStore } from '@mg/persistence/console';

/** A price that somebody wants a model to have. */
interface WantedPrice {
  readonly slug: string;
  readonly price: PriceSheet;
  /** Who says so; stays with the version. */
  readonly source: string;
  /** At once by default. */
  readonly effectiveFrom?: Date | undefined;
}

/** Starts a new price version, unless the price in force is the same. Answers whether it did. */
export async function setPrice(store: ConsoleStore, wanted: WantedPrice): Promise<boolean> {
  const current = (await store.models.findPricesInForce([wanted.slug])).get(wanted.slug);
  if (wanted.effectiveFrom === undefined && current && isSamePrice(current.price, wanted.price)) return false;
  await store.models.addPrice(
    omitUndefined({
      id: newId(),
      modelSlug: wanted.slug,
      price: wanted.price,
      source: wanted.source,
      effectiveFrom: wanted.effectiveFrom,
    }),
  );
  return true;
}

/** Whether two sheets mean the same amounts: "2" and "2.00" do, an absent key and "0" do not. */
export function isSamePrice(left: PriceSheet, right: PriceSheet): boolean {
  return isDeepStrictEqual(parsePrice(left), parsePrice(right));
}
