import type { DataSource } from 'typeorm';
import type { ObjectStore } from './file-objects.js';

/** Deleted in the store at the same time. */
const AT_ONCE = 16;

/**
 * Objects whose files are gone. A file that is deleted leaves the name of its object behind, whoever deletes it; an hour later,
 * when nobody writes or reads it any more, the store is told, again and again until it has deleted it.
 */
export class DiscardedObjects {
  constructor(
    private readonly database: DataSource,
    private readonly store: Pick<ObjectStore, 'remove'>,
  ) {}

  /** Deletes those that are due. @throws what the store says of one that it has not deleted: it is due again in an hour. */
  async remove(): Promise<void> {
    for (let names = await this.#claim(); names.length > 0; names = await this.#claim()) {
      const outcomes = await Promise.allSettled(names.map((name) => this.store.remove(name)));
      const removed = names.filter((_, at) => outcomes[at]?.status === 'fulfilled');
      await this.database.query('delete from discarded_object where name = any ($1)', [removed]);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) throw failure.reason;
    }
  }

  async #claim(): Promise<string[]> {
    const [rows] = await this.database.query<[{ name: string }[], number]>(
      `update discarded_object set due_at = now() + interval '1 hour' where name in (
         select d.name from discarded_object d where d.due_at <= now()
          order by d.due_at limit $1 for update skip locked)
       returning name`,
      [AT_ONCE],
    );
    return rows.map(({ name }) => name);
  }
}
