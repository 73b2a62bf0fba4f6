import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type AttemptRow, moveInSlices, type TaskState, toStorableJson, toStorableText } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import type { ClaimedTask, NextStep, SubmitAttempt, TaskClaim } from './task-claim.js';
import { type TaskRow, toTask } from './task-row.js';
import {
  CLAIM,
  COUNT_AT_CHANNEL,
  EXTEND,
  MARK_SUBMITTING,
  NOTE_POLLED,
  NOTE_POLL_FAILED,
  NOTE_REFUSED,
  NOTE_SUBMITTED,
  NOTE_SUBMIT_UNKNOWN,
  NOT_ENDED,
  RELEASE_CLAIM,
} from './task-steps.js';

export interface TaskCounts {
  /** Tasks that have not ended, by state. */
  readonly byState: ReadonlyMap<TaskState, number>;
  /** By how many seconds the most overdue task is late; 0 when none is. */
  readonly oldestDueSeconds: number;
}

/**
 * The progress of tasks, for workers: one claims a task, takes a step with the provider and records the outcome. Every
 * method answers whether it was recorded: not when the task has ended or belongs to another claim meanwhile. Times are
 * counted on Postgres's clock. Ends, and all that concerns money, are billing's.
 */
export class TaskStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Claims a task for a step, if it has not ended, is due and is nobody else's. A task whose worker was lost during the
   * submit comes back as `submit_unknown`. With `evenEarly` it need not be due.
   */
  async claim(
    taskId: string,
    options: { worker: string; leaseSeconds: number; evenEarly?: boolean },
  ): Promise<ClaimedTask | undefined> {
    const by = `${options.worker}/${randomUUID()}`;
    const [row] = await this.database.query<(TaskRow & { order_bytes: number | null })[]>(CLAIM, [
      taskId,
      by,
      options.leaseSeconds,
      options.evenEarly === true,
    ]);
    return row && { task: toTask(row), claim: { taskId, by }, orderBytes: row.order_bytes ?? undefined };
  }

  /** The order as it was written, JSON; `undefined` once it is not needed any more. */
  async readOrder(taskId: string): Promise<Buffer | undefined> {
    const rows = await this.database.query<{ part: string }[]>(READ_ORDER, [taskId, ORDER_PART_BYTES]);
    if (rows.length === 0) return undefined;
    const parts: Buffer[] = [];
    for (const { part } of rows) {
      parts.push(Buffer.from(part, 'base64'));
      if (rows.length > 1) await setImmediate();
    }
    return moveInSlices(parts, setImmediate);
  }

  /**
   * Writes down that the task is about to be submitted, before it is; the claim then lasts for `leaseSeconds`.
   *
   * @param mostAtOnce tasks that the channel may have at the same time; any number when left out.
   * @returns `full` where it has as many, and nothing was written.
   */
  async markSubmitting(
    claim: TaskClaim,
    attempt: SubmitAttempt,
    leaseSeconds: number,
    mostAtOnce?: number,
  ): Promise<boolean | 'full'> {
    const mark = (runner: StatementRunner) =>
      step(runner, MARK_SUBMITTING, claim, `to channel ${attempt.channelName}`, [
        leaseSeconds,
        attempt.channelId,
        attempt.channelName,
        attempt.keyHash ?? null,
        attempt.upstreamModel,
      ]);
    if (mostAtOnce === undefined) return mark(this.database);
    return this.database.transaction(async (manager) => {
      // One worker at a time counts and adds; the count sees what the one before has committed.
      await manager.query(`select pg_advisory_xact_lock(hashtextextended('tasks at channel ' || $1, 0))`, [
        attempt.channelId,
      ]);
      return (await countAtChannel(manager, attempt.channelId)) >= mostAtOnce ? 'full' : mark(manager);
    });
  }

  /** Tasks that a channel is being asked for, or has taken and not ended. Those of an unknown submit are not counted. */
  countAtChannel(channelId: string): Promise<number> {
    return countAtChannel(this.database, channelId);
  }

  /** The provider has taken the job under an id of its own. Ends the claim; the task is to be charged now. */
  noteSubmitted(
    claim: TaskClaim,
    upstream: { readonly id: string; readonly data: Readonly<Record<string, unknown>> },
    next: NextStep,
    attempt?: AttemptRow,
  ): Promise<boolean> {
    return this.#step(NOTE_SUBMITTED, claim, next.note, [
      next.nextRunSeconds,
      toStorableText(upstream.id),
      toStorableJson(upstream.data),
      toJson(attempt),
    ]);
  }

  /** It is not known whether the submit arrived, or it still is not. Ends the claim. */
  noteSubmitUnknown(claim: TaskClaim, next: NextStep, attempt?: AttemptRow): Promise<boolean> {
    return this.#step(NOTE_SUBMIT_UNKNOWN, claim, next.note, [next.nextRunSeconds, toJson(attempt)]);
  }

  /** The channel has certainly not taken the job. The task may be submitted again; the claim goes on for `leaseSeconds`. */
  noteRefused(claim: TaskClaim, note: string, leaseSeconds: number, attempt?: AttemptRow): Promise<boolean> {
    return this.#step(NOTE_REFUSED, claim, note, [leaseSeconds, toJson(attempt)]);
  }

  /** The provider works on it, or will. Ends the claim. Progress never goes back. */
  notePolled(
    claim: TaskClaim,
    found: {
      readonly running: boolean;
      readonly progress: number | undefined;
      readonly upstreamData?: Readonly<Record<string, unknown>>;
    },
    next: NextStep,
  ): Promise<boolean> {
    return this.#step(NOTE_POLLED, claim, next.note, [
      next.nextRunSeconds,
      found.running,
      found.progress === undefined ? null : Math.round(Math.min(Math.max(found.progress, 0), 100)),
      found.upstreamData === undefined ? null : toStorableJson(found.upstreamData),
    ]);
  }

  /** A poll that failed: the task is polled again later. Ends the claim. */
  notePollFailed(claim: TaskClaim, next: NextStep): Promise<boolean> {
    return this.#step(NOTE_POLL_FAILED, claim, next.note, [next.nextRunSeconds]);
  }

  /** The claim goes on for `leaseSeconds` from now. */
  extend(claim: TaskClaim, leaseSeconds: number): Promise<boolean> {
    return this.#step(EXTEND, claim, undefined, [leaseSeconds]);
  }

  /** Ends the claim without a step, for a later look. */
  release(claim: TaskClaim, next: NextStep): Promise<boolean> {
    return this.#step(RELEASE_CLAIM, claim, next.note, [next.nextRunSeconds]);
  }

  /**
   * Tasks that should have been looked at and are nobody's, the most overdue first: their wake-up was lost.
   *
   * @param options.createdLateSeconds the same for tasks that nobody has submitted yet.
   */
  async findOverdue(options: {
    lateSeconds: number;
    createdLateSeconds: number;
    limit: number;
  }): Promise<string[]> {
    const rows = await this.database.query<{ id: string }[]>(
      `select t.id from task t
        where ${NOT_ENDED}
          and t.next_run_at <= now() - make_interval(secs => case t.state when 'created' then $2::float8 else $1::float8 end)
          and (t.claimed_until is null or t.claimed_until < now())
        order by t.next_run_at limit $3`,
      [options.lateSeconds, options.createdLateSeconds, options.limit],
    );
    return rows.map((row) => row.id);
  }

  /** Counts for metrics. */
  async countTasks(): Promise<TaskCounts> {
    const rows = await this.database.query<{ state: TaskState; count: string; late: string }[]>(
      `select t.state, count(*) as count, greatest(extract(epoch from now() - min(t.next_run_at)), 0) as late
         from task t where ${NOT_ENDED} group by t.state`,
    );
    return {
      byState: new Map(rows.map((row) => [row.state, Number(row.count)])),
      oldestDueSeconds: Math.max(0, ...rows.map((row) => Number(row.late))),
    };
  }

  #step(
    sql: string,
    claim: TaskClaim,
    note: string | undefined,
    values: readonly unknown[],
  ): Promise<boolean> {
    return step(this.database, sql, claim, note, values);
  }
}

/** Of an order, as it comes from the database: the driver makes texts of one part at a time. */
const ORDER_PART_BYTES = 512 * 1024;
/** In base64, since the driver would read bytes in hexadecimal. */
const READ_ORDER = `
  with whole as materialized (select convert_to(order_text, 'UTF8') as bytes from task_order where task_id = $1)
  select encode(substr(bytes, at, $2::int), 'base64') as part
    from whole, generate_series(1, octet_length(bytes), $2::int) as at order by at`;

/** The database, or a transaction. */
type StatementRunner = Pick<EntityManager, 'query'>;

async function step(
  runner: StatementRunner,
  sql: string,
  claim: TaskClaim,
  note: string | undefined,
  values: readonly unknown[],
): Promise<boolean> {
  const rows = await runner.query<unknown[]>(sql, [
    claim.taskId,
    claim.by,
    note === undefined ? null : toStorableText(note),
    ...values,
  ]);
  return rows.length > 0;
}

async function countAtChannel(runner: StatementRunner, channelId: string): Promise<number> {
  const [row] = await runner.query<{ count: number }[]>(COUNT_AT_CHANNEL, [channelId]);
  return row?.count ?? 0;
}

function toJson(attempt: AttemptRow | undefined): string | null {
  return attempt ? toStorableJson(attempt) : null;
}
