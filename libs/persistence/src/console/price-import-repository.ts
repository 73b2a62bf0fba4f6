import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { PriceImportEntity, type PriceImportRow } from '../entities/price-import.js';

export class PriceImportRepository {
  constructor(private readonly manager: EntityManager) {}

  async insert(row: Omit<PriceImportRow, 'createdAt' | 'appliedAt'>): Promise<void> {
    await this.#imports.insert(row as QueryDeepPartialEntity<PriceImportRow>);
  }

  find(id: string): Promise<PriceImportRow | null> {
    return this.#imports.findOneBy({ id });
  }

  /** Finds an import and keeps others from applying it until the transaction ends. */
  findLocked(id: string): Promise<PriceImportRow | null> {
    return this.#imports.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async markApplied(id: string): Promise<void> {
    await this.#imports.update({ id }, { appliedAt: () => 'now()' });
  }

  get #imports() {
    return this.manager.getRepository(PriceImportEntity);
  }
}
