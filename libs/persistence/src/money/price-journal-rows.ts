import { type Price, type PriceSheet, parsePrice, usageFromRow, type UsageRow } from '@mg/contract';
import { costOfCall } from '@mg/pricing';

/** A journal row that waits to be posted, with the price its hold is pinned to; without a hold the row's own, if it names one. */
export interface WaitingRow {
  readonly request_id: string;
  readonly seq: number;
  readonly phase: 'checkpoint' | 'usage' | 'cancel';
  readonly usage: Partial<UsageRow>;
  readonly estimated: boolean;
  readonly price_version_id: string | null;
  readonly price: PriceSheet | null;
  /** The lease that its call was admitted from. */
  readonly lease_id: string | null;
}

/** A journal row as `post_usage` takes it: with its charge, or with the reason why it has none. */
export interface PricedRow extends Pick<
  WaitingRow,
  'request_id' | 'seq' | 'phase' | 'usage' | 'estimated' | 'price_version_id' | 'lease_id'
> {
  readonly charge: string;
  readonly failure?: string;
}

const MAX_KEPT_PRICES = 1_000;
/** Postgres's largest bigint. */
const MAX_CHARGE = 2n ** 63n - 1n;

/** Reads the charge of journal rows off the price that each hold is pinned to. Versions never change, so they are kept. */
export class JournalPricer {
  readonly #prices = new Map<string, Price>();

  priceRow(row: WaitingRow): PricedRow {
    const { request_id, seq, phase, usage, estimated, price_version_id, lease_id } = row;
    const priced = { request_id, seq, phase, usage, estimated, price_version_id, lease_id };
    if (phase === 'cancel' || row.price_version_id === null || row.price === null) {
      return { ...priced, charge: '0' };
    }
    try {
      const price = this.#readPrice(row.price_version_id, row.price);
      const { total } = costOfCall(usageFromRow(usage), price);
      if (total > MAX_CHARGE) throw new RangeError('the charge is beyond what the ledger can hold');
      return { ...priced, charge: total.toString() };
    } catch (error) {
      return { ...priced, charge: '0', failure: error instanceof Error ? error.message : String(error) };
    }
  }

  #readPrice(versionId: string, sheet: PriceSheet): Price {
    const kept = this.#prices.get(versionId);
    if (kept) return kept;
    const price = parsePrice(sheet);
    if (this.#prices.size >= MAX_KEPT_PRICES) this.#prices.clear();
    this.#prices.set(versionId, price);
    return price;
  }
}
