import type { DataSource } from 'typeorm';
import { NOT_ENDED } from './task-steps.js';

/** Which kinds of work there may be for whoever takes them. */
export interface PossibleWork {
  /** Tasks that may be overdue. */
  readonly tasks: boolean;
  readonly webhooks: boolean;
  readonly batches: boolean;
  /** Steps of providers' own batches. */
  readonly upstreamBatches: boolean;
}

/**
 * Whether there may be work, in one statement that claims and locks nothing and is cheap to plan: all that workers ask while
 * there is none. It says yes too often rather than too seldom: who is sent to claim the work sees the rest of the conditions.
 */
export class DueWork {
  constructor(private readonly database: DataSource) {}

  async find(): Promise<PossibleWork> {
    const [row] = await this.database.query<[PossibleWork]>(
      `select
         (select t.id from task t where ${NOT_ENDED} and t.next_run_at <= now() order by t.next_run_at limit 1)
           is not null as tasks,
         (select d.id from webhook_delivery d where d.next_attempt_at <= now() order by d.next_attempt_at limit 1)
           is not null as webhooks,
         exists (select from batch b where b.ended_at is null) as batches,
         exists (select from upstream_batch u where u.ended_at is null and u.next_run_at <= now()) as "upstreamBatches"`,
    );
    return row;
  }
}
