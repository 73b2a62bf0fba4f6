import type { DataSource } from 'typeorm';
import { RUNNABLE, TO_STEP } from '../batches/batch-work.js';
import { OVERDUE, type OverdueAfter } from './task-store.js';
import { DELIVERABLE } from './webhook-deliveries.js';

/** Which kinds of work are due for whoever takes them. */
export interface DueKinds {
  /** Tasks whose wake-up was lost. */
  readonly tasks: boolean;
  readonly webhooks: boolean;
  /** Batches to be validated or finished. */
  readonly batches: boolean;
  /** Batches whose lines may be sent. */
  readonly lines: boolean;
}

/**
 * Whether there is work, in one statement that claims and locks nothing: all that workers ask while there is none. The conditions
 * are those of who claims the work, and each part is read along the same index.
 */
export class DueWork {
  constructor(private readonly database: DataSource) {}

  async find({ lateSeconds, createdLateSeconds }: OverdueAfter): Promise<DueKinds> {
    const [row] = await this.database.query<[DueKinds]>(
      `select
         (select t.id from task t where ${OVERDUE} order by t.next_run_at limit 1) is not null as tasks,
         (select d.id from webhook_delivery d where ${DELIVERABLE} order by d.next_attempt_at limit 1) is not null
           as webhooks,
         (select b.id from batch b where ${TO_STEP} order by b.created_at limit 1) is not null as batches,
         (select b.id from batch b where ${RUNNABLE} limit 1) is not null as lines`,
      [lateSeconds, createdLateSeconds],
    );
    return row;
  }
}
