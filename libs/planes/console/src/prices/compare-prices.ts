import type { ConsoleStore, PriceImportLine } from '@mg/persistence/console';
import { isSamePrice } from '../models/set-price.js';
import type { FilePrice } from './read-price-file.js';

/** What prices would change, by slug; nothing is written. */
export async function comparePrices(
  store: ConsoleStore,
  prices: readonly FilePrice[],
): Promise<PriceImportLine[]> {
  const slugs = prices.map(({ slug }) => slug);
  const [missing, current] = await Promise.all([
    store.models.findMissing(slugs),
    store.models.findPricesInForce(slugs),
  ]);
  const unknown = new Set(missing);
  const lines = prices.map(({ slug, price: after }): PriceImportLine => {
    const before = current.get(slug)?.price ?? null;
    if (unknown.has(slug)) return { slug, change: 'unknown_model', before: null, after };
    if (before === null) return { slug, change: 'new', before, after };
    return { slug, change: isSamePrice(before, after) ? 'unchanged' : 'changed', before, after };
  });
  return lines.toSorted((left, right) => left.slug.localeCompare(right.slug, 'en'));
}

/** Whether a review still says what the models' prices are. */
export function isStillTrue(reviewed: readonly PriceImportLine[], now: readonly PriceImportLine[]): boolean {
  return reviewed.every((line, at) => {
    const other = now[at];
    if (other?.slug !== line.slug || other.change !== line.change) return false;
    if (line.before === null || other.before === null) return line.before === other.before;
    return isSamePrice(line.before, other.before);
  });
}
