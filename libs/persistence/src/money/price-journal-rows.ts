import {
  type NanoUsd,
  type Price,
  type PriceSheet,
  parsePrice,
  type Usage,
  usageFromRow,
  type UsageRow,
  usageToRow,
  wasteFromRows,
} from '@mg/contract';
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
  /** The slug that the price is of. */
  readonly model: string | null;
  /** Wasted attempts of the call, as its gateway told them. */
  readonly waste: unknown;
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

/** A wasted attempt as `book_waste` takes it. */
export interface PricedWaste {
  readonly request_id: string;
  readonly attempt: number;
  readonly channel: string;
  readonly model: string;
  readonly reason: string;
  readonly amount: string;
  readonly usage: UsageRow;
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
      const total = this.#priceUsage(usageFromRow(usage), row.price_version_id, row.price);
      return { ...priced, charge: total.toString() };
    } catch (error) {
      return { ...priced, charge: '0', failure: error instanceof Error ? error.message : String(error) };
    }
  }

  /** What the wasted attempts of a row cost us at the model's own price; none where that is not known. */
  priceWaste({ request_id, waste, price_version_id: versionId, price, model }: WaitingRow): PricedWaste[] {
    if (versionId === null || price === null || model === null) return [];
    return wasteFromRows(waste).map(({ usage, ...attempt }) => ({
      request_id,
      ...attempt,
      model,
      amount: this.#priceUsage(usage, versionId, price).toString(),
      usage: usageToRow(usage),
    }));
  }

  /** @throws Error for a price that cannot be read, RangeError for a cost beyond what the ledger can hold. */
  #priceUsage(usage: Usage, versionId: string, sheet: PriceSheet): NanoUsd {
    const { total } = costOfCall(usage, this.#readPrice(versionId, sheet));
    if (total > MAX_CHARGE) throw new RangeError('the charge is beyond what the ledger can hold');
    return total;
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
