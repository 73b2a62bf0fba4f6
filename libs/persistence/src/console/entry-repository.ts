import { omitUndefined } from '@mg/contract';
import { And, type EntityManager, type FindOperator, IsNull, LessThan, MoreThanOrEqual, Not } from 'typeorm';
import { EntryEntity, type EntryRow } from '../entities/entry.js';
import { cutPage, type Page, type PageRequest } from './page.js';

/** Which entries of the ledger are wanted. */
export interface EntryFilter {
  /** Entries of this wallet; those of every wallet without. */
  readonly walletId?: string | undefined;
  /** Entries at this moment or later. */
  readonly from?: Date | undefined;
  /** Entries before this moment. */
  readonly to?: Date | undefined;
}

/** Entries are numbered in the order of their time, up to the time that a transaction takes at most. */
const TRANSACTION_WITHIN_MS = 60 * 60_000;

/** The number of the first entry at a moment, by halves: `created_at` has no index, and needs none for this. */
const FIRST_ID_AT = /* sql */ `
with recursive search (low, high) as (
  select 0::bigint, coalesce(max(id), 0) + 1 from entry
  union all
  select case when probe.created_at < $1 then probe.id + 1 else low end,
         case when probe.created_at < $1 then high else (low + high) / 2 end
    from search
    left join lateral (
      select id, created_at from entry where id >= (low + high) / 2 order by id limit 1
    ) as probe on true
   where low < high
)
select low as id from search where low >= high`;

/** The wallets' legs of the ledger, newest first. The caller checks first whether they may be seen. */
export class EntryRepository {
  constructor(private readonly manager: EntityManager) {}

  find(walletId: string, id: string): Promise<EntryRow | null> {
    return this.#entries.findOneBy({ walletId, id });
  }

  async list({ walletId, from, to }: EntryFilter, page: PageRequest): Promise<Page<EntryRow>> {
    const ids = await this.#toIdBounds({ from, to });
    if (page.after !== undefined) ids.push(LessThan(page.after));
    const times = [from && MoreThanOrEqual(from), to && LessThan(to)].filter((time) => time !== undefined);
    const rows = await this.#entries.find({
      where: omitUndefined({
        walletId: walletId ?? Not(IsNull()),
        id: ids.length === 0 ? undefined : And(...ids),
        createdAt: times.length === 0 ? undefined : And(...times),
      }),
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return cutPage(rows, page.limit, (row) => row.id);
  }

  /** So that only entries of about that time are read. */
  async #toIdBounds({ from, to }: Pick<EntryFilter, 'from' | 'to'>): Promise<FindOperator<string>[]> {
    const bounds: FindOperator<string>[] = [];
    const later = (moment: Date, ms: number) => new Date(moment.getTime() + ms);
    if (from) bounds.push(MoreThanOrEqual(await this.#findFirstId(later(from, -TRANSACTION_WITHIN_MS))));
    if (to) bounds.push(LessThan(await this.#findFirstId(later(to, TRANSACTION_WITHIN_MS))));
    return bounds;
  }

  async #findFirstId(moment: Date): Promise<string> {
    const [row] = await this.manager.query<[{ id: string }]>(FIRST_ID_AT, [moment]);
    return row.id;
  }

  get #entries() {
    return this.manager.getRepository(EntryEntity);
  }
}
