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
  /** Wasted attempts of the call, as its gateway reported them. */
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

/** A version of a model's price. */
export interface PriceVersion {
  readonly id: string;
  readonly price: PriceSheet;
  /** The slug that it is of. */
  readonly model: string;
}

/** Any other id would end the query. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
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

  /**
   * What the wasted attempts of a row cost us, each at the price of the model that was tried: at that of the row where the
   * attempt names none, or none that is known. Nothing where no price is known.
   *
   * @param others versions that the attempts of the batch name, by id.
   */
  priceWaste(row: WaitingRow, others: ReadonlyMap<string, PriceVersion> = new Map()): PricedWaste[] {
    const own = readOwnVersion(row);
    return wasteFromRows(row.waste).flatMap(({ usage, priceVersionId, ...attempt }) => {
      const version = others.get(priceVersionId ?? '') ?? own;
      if (!version) return [];
      const amount = this.#priceUsage(usage, version.id, version.price).toString();
      return [
        { request_id: row.request_id, ...attempt, model: version.model, amount, usage: usageToRow(usage) },
      ];
    });
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

/** Versions of other models' prices that the wasted attempts of rows name. */
export function listOtherVersions(rows: readonly WaitingRow[]): string[] {
  const named = rows.flatMap((row) =>
    wasteFromRows(row.waste).flatMap(({ priceVersionId }) =>
      priceVersionId === undefined || priceVersionId === row.price_version_id ? [] : priceVersionId,
    ),
  );
  return [...new Set(named)].filter((id) => UUID.test(id));
}

function readOwnVersion({ price_version_id: id, price, model }: WaitingRow): PriceVersion | undefined {
  return id === null || price === null || model === null ? undefined : { id, price, model };
}
