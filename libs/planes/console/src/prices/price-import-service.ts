import { newId, refuse } from '@mg/contract';
import { ConsoleStore, type PriceImportLine, type PriceImportRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { setPrice } from '../models/set-price.js';
import { comparePrices, isStillTrue } from './compare-prices.js';
import type { PriceImportCreate } from './price-import-schemas.js';
import { readPriceFile } from './read-price-file.js';

/** Files of prices: read and compared first, applied when somebody has looked at what they change. */
@Injectable()
export class PriceImportService {
  constructor(private readonly store: ConsoleStore) {}

  /** @throws GatewayError `invalid_request` that says where the file is wrong. */
  async review(caller: Caller, input: PriceImportCreate): Promise<PriceImportRow> {
    const prices = await readPriceFile(input.content, input.format);
    const id = newId();
    return this.store.transaction(async (store) => {
      const lines = await comparePrices(store, prices);
      await store.priceImports.insert({ id, source: input.source, lines, createdBy: caller.id });
      const after = { source: input.source, prices: prices.length };
      await recordChange(store, caller, { action: 'price_import.review', targetId: id, after });
      return found(await store.priceImports.find(id));
    });
  }

  /**
   * Starts a price version for each new and each changed price, all at once or none.
   *
   * @throws GatewayError `conflict` when it was applied before, or when a price has changed since it was looked at.
   */
  async apply(caller: Caller, id: string): Promise<PriceImportRow> {
    return this.store.transaction(async (store) => {
      const reviewed = found(await store.priceImports.findLocked(id));
      if (reviewed.appliedAt) throw refuse('conflict', 'import_applied');
      const now = await comparePrices(
        store,
        reviewed.lines.map(({ slug, after }) => ({ slug, price: after })),
      );
      if (!isStillTrue(reviewed.lines, now)) {
        throw refuse('conflict', 'prices_changed');
      }
      const lines = reviewed.lines.filter(({ change }) => change === 'new' || change === 'changed');
      const source = reviewed.source === '' ? `import by ${caller.email}` : `import: ${reviewed.source}`;
      for (const { slug, after } of lines) await setPrice(store, { slug, price: after, source });
      await store.priceImports.markApplied(id);
      await recordChange(store, caller, {
        action: 'price_import.apply',
        targetId: id,
        before: pricesOf(lines, 'before'),
        after: pricesOf(lines, 'after'),
      });
      return found(await store.priceImports.find(id));
    });
  }
}

function pricesOf(lines: readonly PriceImportLine[], side: 'before' | 'after'): object {
  return Object.fromEntries(lines.map((line) => [line.slug, line[side]]));
}
