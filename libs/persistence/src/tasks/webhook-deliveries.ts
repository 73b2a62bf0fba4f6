import { type Task, toStorableText } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { TASK_COLUMNS, type TaskRow, toTask } from './task-row.js';

/** A call that a task's owner is waiting for. */
export interface WebhookDelivery {
  readonly id: string;
  readonly url: string;
  /** `task.` and the state that the task ended in. */
  readonly event: string;
  /** Tries before this one. */
  readonly attempts: number;
  readonly task: Task;
}

/** How a try went wrong. */
export interface FailedDelivery {
  readonly status: number | undefined;
  readonly error: string;
  /** Until the next try; undefined gives the delivery up. */
  readonly retrySeconds: number | undefined;
}

/** Calls back to owners of tasks, at least once each: a worker that dies before it has recorded its try leaves it to another. */
export class WebhookDeliveries {
  constructor(private readonly database: DataSource) {}

  /** Takes deliveries that are due; others may take them after `leaseSeconds`. */
  async claimDue(options: { limit: number; leaseSeconds: number }): Promise<WebhookDelivery[]> {
    const rows = await this.database.query<
      (TaskRow & { delivery_id: string; url: string; event: string; attempts: number })[]
    >(
      `with due as (
         select d.id from webhook_delivery d
          where d.next_attempt_at <= now() and (d.claimed_until is null or d.claimed_until < now())
          order by d.next_attempt_at limit $1 for update skip locked
       ), claimed as (
         update webhook_delivery d set claimed_until = now() + make_interval(secs => $2)
           from due where d.id = due.id
         returning d.id as delivery_id, d.task_id, d.url, d.event, d.attempts
       )
       select c.delivery_id, c.url, c.event, c.attempts, ${TASK_COLUMNS}
         from claimed c join task t on t.id = c.task_id`,
      [options.limit, options.leaseSeconds],
    );
    return rows.map((row) => ({
      id: row.delivery_id,
      url: row.url,
      event: row.event,
      attempts: row.attempts,
      task: toTask(row),
    }));
  }

  async recordDelivered(id: string, status: number): Promise<void> {
    await this.database.query(
      `update webhook_delivery set attempts = attempts + 1, delivered_at = now(), last_status = $2, last_error = null,
              next_attempt_at = null, claimed_until = null
        where id = $1`,
      [id, status],
    );
  }

  async recordFailed(id: string, { status, error, retrySeconds }: FailedDelivery): Promise<void> {
    await this.database.query(
      `update webhook_delivery set attempts = attempts + 1, last_status = $2, last_error = $3, claimed_until = null,
              next_attempt_at = now() + make_interval(secs => $4)
        where id = $1 and delivered_at is null`,
      [id, status ?? null, toStorableText(error), retrySeconds ?? null],
    );
  }
}
