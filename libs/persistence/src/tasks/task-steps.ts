import { TASK_COLUMNS } from './task-row.js';

/** Tasks that are still somebody's to work on. */
export const NOT_ENDED = `t.state not in ('succeeded', 'failed', 'expired', 'cancelled')`;

/**
 * Claims a task: $1 its id, $2 the claim, $3 for how many seconds, $4 whether it need not be due. A queue's clock may be a
 * little ahead of Postgres's: a task that is due within a second is due. Postgres knows how long a text is without reading it.
 */
export const CLAIM = `
  with due as (
    select t.id, t.state from task t
     where t.id = $1 and ${NOT_ENDED} and ($4 or t.next_run_at <= now() + interval '1 second')
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
  select c.*, o.hops, octet_length(o.order_text) as order_bytes from claimed c left join task_order o on o.task_id = c.id`;

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

/** The most submits of a task that are kept: one that waits for days may be refused again and again. */
const MOST_ATTEMPTS = 16;
/** What came of a submit, as a line of the log, where it was sent. */
const keepAttempt = (parameter: string) =>
  `submits = case when ${parameter}::jsonb is null or jsonb_array_length(t.submits) >= ${MOST_ATTEMPTS} then t.submits
     else t.submits || ${parameter}::jsonb end`;

/** Of a task whose deadline passed during its last step. */
const OVERDUE_SECONDS = 5;
/** The next poll is not later than the deadline, and soon when that has passed. */
const NEXT_RUN = `next_run_at = case when t.deadline_at > now()
  then least(now() + make_interval(secs => $4), t.deadline_at)
  else now() + make_interval(secs => least($4, ${OVERDUE_SECONDS})) end`;
const END_CLAIM = `claimed_by = null, claimed_until = null`;

export const MARK_SUBMITTING = step(
  `t.claimed_by = $2 and t.state = 'created'`,
  `state = 'submitting', claimed_until = now() + make_interval(secs => $4), next_run_at = now() + make_interval(secs => $4),
   channel_id = $5, channel_name = $6, key_hash = $7, upstream_model = $8,
   upstream_data = jsonb_build_object('submitting_since', floor(extract(epoch from clock_timestamp()) * 1000))`,
);
/** A provider that has told nothing of a task for so many polls in a row may have forgotten it. */
const FORGOTTEN_AFTER_POLLS = 10;
/**
 * Tasks that a channel's provider is asked for or works on; $1 its id. What may have been lost on the way, or been forgotten,
 * does not keep others waiting until its deadline.
 */
export const COUNT_AT_CHANNEL = `
  select count(*)::integer as count from task t where t.channel_id = $1 and t.state in ('submitting', 'submitted', 'running')
     and t.poll_failures < ${FORGOTTEN_AFTER_POLLS}`;

/** A worker that was thought lost may still come back with the provider's answer: nothing else can be true then. */
export const NOTE_SUBMITTED = step(
  `((t.claimed_by = $2 and t.state = 'submitting') or t.state = 'submit_unknown')`,
  `state = 'submitted', submitted_at = now(), upstream_id = $5, upstream_data = $6::jsonb, ${keepAttempt('$7')},
   ${NEXT_RUN}, ${END_CLAIM}`,
);
export const NOTE_SUBMIT_UNKNOWN = step(
  `t.claimed_by = $2 and t.state in ('submitting', 'submit_unknown')`,
  `state = 'submit_unknown', ${keepAttempt('$5')}, ${NEXT_RUN}, ${END_CLAIM}`,
);
export const NOTE_REFUSED = step(
  `t.claimed_by = $2 and t.state in ('submitting', 'submit_unknown')`,
  `state = 'created', claimed_until = now() + make_interval(secs => $4), next_run_at = now(), ${keepAttempt('$5')}`,
);
export const NOTE_POLLED = step(
  `t.claimed_by = $2 and t.state in ('submitted', 'running')`,
  `state = case when $5 then 'running' else t.state end, progress = greatest($6, t.progress), poll_failures = 0,
   upstream_data = coalesce($7::jsonb, t.upstream_data), ${NEXT_RUN}, ${END_CLAIM}`,
);
export const NOTE_POLL_FAILED = step(
  `t.claimed_by = $2 and t.state in ('submitted', 'running')`,
  `poll_failures = t.poll_failures + 1, ${NEXT_RUN}, ${END_CLAIM}`,
);
export const EXTEND = step(
  `t.claimed_by = $2 and ${NOT_ENDED}`,
  `claimed_until = now() + make_interval(secs => $4)`,
);
export const RELEASE_CLAIM = step(`t.claimed_by = $2 and ${NOT_ENDED}`, `${NEXT_RUN}, ${END_CLAIM}`);
