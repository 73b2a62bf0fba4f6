import { randomUUID } from 'node:crypto';
import { type Task, type TaskState, toStorableJson, toStorableText } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { TASK_COLUMNS, type TaskRow, toTask } from './task-row.js';

/** The right to take a task's next step, until another worker may claim it. */
export interface TaskClaim {
  readonly taskId: string;
  /** Tells this claim from every other one. */
  readonly by: string;
}

export interface ClaimedTask {
  readonly task: Task;
  readonly claim: TaskClaim;
}

/** Where a task is about to be submitted to. */
export interface SubmitAttempt {
  readonly channelId: string;
  readonly channelName: string;
  /** SHA-256 of the channel's key that is used. */
  readonly keyHash: string | undefined;
  readonly upstreamModel: string;
}

/** When a task is looked at next, and a line for its history where there is something to say. */
export interface NextStep {
  readonly nextRunSeconds: number;
  readonly note?: string;
}

export interface TaskCounts {
  /** Tasks that have not ended, by state. */
  readonly byState: ReadonlyMap<TaskState, number>;
  /** By how many seconds the most overdue task is late; 0 when none is. */
  readonly oldestDueSeconds: number;
}

const GOES_ON = `t.state not in ('succeeded', 'failed', 'expired', 'cancelled')`;

/** A queue's clock may be a little ahead of Postgres's: a task that is due within a second is due. */
const CLAIM = `
  with due as (
    select t.id, t.state from task t
     where t.id = $1 and ${GOES_ON} and ($4 or t.next_run_at <= now() + interval '1 second')
       and (t.claimed_until is null or t.claimed_until < now())
       for update skip locked
  ), claimed as (
    update task t set claimed_by = $2, claimed_until = now() + make_interval(secs => $3),
           state = case due.state when 'submitting' then 'submit_unknown' else due.state end
      from due where t.id = due.id
    returning ${TASK_COLUMNS}
  ), noted as (
    insert into task_event (task_id, state, note)
    select due.id, 'submit_unknown', 'its worker was lost during the submit' from due where due.state = 'submitting'
  )
  select c.*, o.order_text from claimed c left join task_order o on o.task_id = c.id`;

/** A step of a claimed task; $1 its id, $2 the claim, $3 a line for its history. */
function step(allowed: string, changes: string): string {
  return `
  with before as (
    select t.id, t.state from task t where t.id = $1 and ${allowed} for no key update
  ), stepped as (
    update task t set ${changes} from before where t.id = before.id returning t.id, t.state
  ), noted as (
    insert into task_event (task_id, state, note)
    select stepped.id, stepped.state, coalesce($3, '') from stepped join before using (id)
     where $3::text is not null or stepped.state <> before.state
  )
  select id from stepped`;
}

/** Of a task whose deadline passed during its last step. */
const OVERDUE_SECONDS = 5;
/** The next look is not later than the deadline, and soon when that has passed. */
const NEXT_RUN = `next_run_at = case when t.deadline_at > now()
  then least(now() + make_interval(secs => $4), t.deadline_at)
  else now() + make_interval(secs => least($4, ${OVERDUE_SECONDS})) end`;
const RELEASE = `claimed_by = null, claimed_until = null`;

const MARK_SUBMITTING = step(
  `t.claimed_by = $2 and t.state = 'created'`,
  `state = 'submitting', claimed_until = now() + make_interval(secs => $4), next_run_at = now() + make_interval(secs => $4),
   channel_id = $5, channel_name = $6, key_hash = $7, upstream_model = $8,
   upstream_data = jsonb_build_object('submitting_since', floor(extract(epoch from clock_timestamp()) * 1000))`,
);
/** A worker that was thought lost may still come back with the provider's answer: nothing else can be true then. */
const NOTE_SUBMITTED = step(
  `((t.claimed_by = $2 and t.state = 'submitting') or t.state = 'submit_unknown')`,
  `state = 'submitted', submitted_at = now(), upstream_id = $5, upstream_data = $6::jsonb, ${NEXT_RUN}, ${RELEASE}`,
);
const NOTE_SUBMIT_UNKNOWN = step(
  `t.claimed_by = $2 and t.state in ('submitting', 'submit_unknown')`,
  `state = 'submit_unknown', ${NEXT_RUN}, ${RELEASE}`,
);
const NOTE_REFUSED = step(
  `t.claimed_by = $2 and t.state in ('submitting', 'submit_unknown')`,
  `state = 'created', claimed_until = now() + make_interval(secs => $4), next_run_at = now()`,
);
const NOTE_POLLED = step(
  `t.claimed_by = $2 and t.state in ('submitted', 'running')`,
  `state = case when $5 then 'running' else t.state end, progress = greatest($6, t.progress), poll_failures = 0,
   upstream_data = coalesce($7::jsonb, t.upstream_data), ${NEXT_RUN}, ${RELEASE}`,
);
const NOTE_POLL_FAILED = step(
  `t.claimed_by = $2 and t.state in ('submitted', 'running')`,
  `poll_failures = t.poll_failures + 1, ${NEXT_RUN}, ${RELEASE}`,
);
const EXTEND = step(`t.claimed_by = $2 and ${GOES_ON}`, `claimed_until = now() + make_interval(secs => $4)`);
const GIVE_BACK = step(`t.claimed_by = $2 and ${GOES_ON}`, `${NEXT_RUN}, ${RELEASE}`);

/**
 * How tasks go on, for workers: one claims a task, takes a step with the provider and writes down what came of it. Every
 * note answers whether it was written: not when the task has ended or belongs to another claim meanwhile. Times are
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
    const [row] = await this.database.query<TaskRow[]>(CLAIM, [
      taskId,
      by,
      options.leaseSeconds,
      options.evenEarly === true,
    ]);
    return row && { task: toTask(row), claim: { taskId, by } };
  }

  /** Writes down that the task is about to be submitted, before it is; the claim then lasts for `leaseSeconds`. */
  markSubmitting(claim: TaskClaim, attempt: SubmitAttempt, leaseSeconds: number): Promise<boolean> {
    return this.#step(MARK_SUBMITTING, claim, `to channel ${attempt.channelName}`, [
      leaseSeconds,
      attempt.channelId,
      attempt.channelName,
      attempt.keyHash ?? null,
      attempt.upstreamModel,
    ]);
  }

  /** The provider has taken the job under an id of its own. Ends the claim; the task is to be charged now. */
  noteSubmitted(
    claim: TaskClaim,
    upstream: { readonly id: string; readonly data: Readonly<Record<string, unknown>> },
    next: NextStep,
  ): Promise<boolean> {
    return this.#step(NOTE_SUBMITTED, claim, next.note, [
      next.nextRunSeconds,
      toStorableText(upstream.id),
      toStorableJson(upstream.data),
    ]);
  }

  /** Nobody knows whether the submit arrived, or still nobody does. Ends the claim. */
  noteSubmitUnknown(claim: TaskClaim, next: NextStep): Promise<boolean> {
    return this.#step(NOTE_SUBMIT_UNKNOWN, claim, next.note, [next.nextRunSeconds]);
  }

  /** The channel has certainly not taken the job. The task may be submitted again; the claim goes on for `leaseSeconds`. */
  noteRefused(claim: TaskClaim, note: string, leaseSeconds: number): Promise<boolean> {
    return this.#step(NOTE_REFUSED, claim, note, [leaseSeconds]);
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

  /** A poll that told nothing: no verdict, only a later look. Ends the claim. */
  notePollFailed(claim: TaskClaim, next: NextStep): Promise<boolean> {
    return this.#step(NOTE_POLL_FAILED, claim, next.note, [next.nextRunSeconds]);
  }

  /** The claim goes on for `leaseSeconds` from now. */
  extend(claim: TaskClaim, leaseSeconds: number): Promise<boolean> {
    return this.#step(EXTEND, claim, undefined, [leaseSeconds]);
  }

  /** Ends the claim without a step, for a later look. */
  giveBack(claim: TaskClaim, next: NextStep): Promise<boolean> {
    return this.#step(GIVE_BACK, claim, next.note, [next.nextRunSeconds]);
  }

  /** Tasks that should have been looked at and are nobody's, the most overdue first: their wake-up was lost. */
  async findOverdue(options: { lateSeconds: number; limit: number }): Promise<string[]> {
    const rows = await this.database.query<{ id: string }[]>(
      `select t.id from task t
        where ${GOES_ON} and t.next_run_at <= now() - make_interval(secs => $1)
          and (t.claimed_until is null or t.claimed_until < now())
        order by t.next_run_at limit $2`,
      [options.lateSeconds, options.limit],
    );
    return rows.map((row) => row.id);
  }

  /** Counts for metrics. */
  async countTasks(): Promise<TaskCounts> {
    const rows = await this.database.query<{ state: TaskState; count: string; late: string }[]>(
      `select t.state, count(*) as count, greatest(extract(epoch from now() - min(t.next_run_at)), 0) as late
         from task t where ${GOES_ON} group by t.state`,
    );
    return {
      byState: new Map(rows.map((row) => [row.state, Number(row.count)])),
      oldestDueSeconds: Math.max(0, ...rows.map((row) => Number(row.late))),
    };
  }

  async #step(
    sql: string,
    claim: TaskClaim,
    note: string | undefined,
    values: readonly unknown[],
  ): Promise<boolean> {
    const rows = await this.database.query<unknown[]>(sql, [
      claim.taskId,
      claim.by,
      note === undefined ? null : toStorableText(note),
      ...values,
    ]);
    return rows.length > 0;
  }
}
