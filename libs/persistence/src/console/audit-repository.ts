import {
  type EntityManager,
  type FindOptionsWhere,
  LessThan,
  Not,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { AuditEntity, type AuditRow } from '../entities/audit-log.js';
import { cutPage, type Page, type PageRequest } from './page.js';

export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
}

/** The audit log: rows are added and read, never changed. */
export class AuditRepository {
  constructor(private readonly manager: EntityManager) {}

  async add(row: Omit<AuditRow, 'createdAt'>): Promise<void> {
    await this.#rows.insert(row as QueryDeepPartialEntity<AuditRow>);
  }

  /** Newest first. */
  async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRow>> {
    const where: FindOptionsWhere<AuditRow> = {};
    if (filter.actorId !== undefined) where.actorId = filter.actorId;
    if (filter.action !== undefined) where.action = filter.action;
    if (filter.targetType !== undefined) where.targetType = filter.targetType;
    if (filter.targetId !== undefined) where.targetId = filter.targetId;
    if (page.after !== undefined) where.id = LessThan(page.after);
    const rows = await this.#rows.find({ where, order: { id: 'DESC' }, take: page.limit + 1 });
    return cutPage(rows, page.limit, (row) => row.id);
  }

  /** Whether anybody ever did more than sign in. */
  async hasChanges(): Promise<boolean> {
    return this.#rows.existsBy({ targetType: Not('session') });
  }

  get #rows() {
    return this.manager.getRepository(AuditEntity);
  }
}
