import type { DataSource } from 'typeorm';

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
 * Whether there may be work, in one statement that claims and locks nothing and whose plan is kept: all that workers ask while there
 * is none. It says yes too often rather than too seldom: who is sent to claim the work sees the rest of the conditions.
 */
export class DueWork {
  constructor(private readonly database: DataSource) {}

  async find(): Promise<PossibleWork> {
    const [row] = await this.database.query<[PossibleWork]>(
      'select tasks, webhooks, batches, upstream_batches as "upstreamBatches" from due_work()',
    );
    return row;
  }
}
