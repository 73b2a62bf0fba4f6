import { setImmediate } from 'node:timers/promises';
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

/** Rows that are read first, which tell how many may be read together. */
const FIRST_ROWS = 5;
/** Of rows that are read in one step, and of a page, as JSON. */
const STEP_CHARACTERS = 128 * 1024;
const MOST_CHARACTERS = 256 * 1024;

/** The audit log: rows are added and read, never changed. */
export class AuditRepository {
  constructor(private readonly manager: EntityManager) {}

  async add(row: Omit<AuditRow, 'createdAt'>): Promise<void> {
    await this.#rows.insert(row as QueryDeepPartialEntity<AuditRow>);
  }

  /**
   * Newest first; fewer than were asked for where they hold much, as changes of channels with hundreds of models do: a page is
   * written in one step.
   */
  async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRow>> {
    const where: FindOptionsWhere<AuditRow> = {};
    if (filter.actorId !== undefined) where.actorId = filter.actorId;
    if (filter.action !== undefined) where.action = filter.action;
    if (filter.targetType !== undefined) where.targetType = filter.targetType;
    if (filter.targetId !== undefined) where.targetId = filter.targetId;
    const rows: AuditRow[] = [];
    let characters = 0;
    for (let after = page.after; ;) {
      const together =
        rows.length === 0 ? FIRST_ROWS : Math.ceil((STEP_CHARACTERS * rows.length) / characters);
      const wanted = Math.min(together, page.limit + 1 - rows.length);
      const some = await this.#rows.find({
        where: after === undefined ? where : { ...where, id: LessThan(after) },
        order: { id: 'DESC' },
        take: wanted,
      });
      rows.push(...some);
      characters += JSON.stringify(some).length;
      after = some.at(-1)?.id;
      if (some.length < wanted || rows.length > page.limit) return cutPage(rows, page.limit, ({ id }) => id);
      // Of these the last one only says that more follow.
      if (characters > MOST_CHARACTERS) return cutPage(rows, rows.length - 1, ({ id }) => id);
      await setImmediate();
    }
  }

  /** Whether anybody ever did more than sign in. */
  async hasChanges(): Promise<boolean> {
    return this.#rows.existsBy({ targetType: Not('session') });
  }

  get #rows() {
    return this.manager.getRepository(AuditEntity);
  }
}
