import { omitUndefined, type Task, type TaskResult } from '@mg/contract';
import type { ClaimedTask } from '@mg/persistence/video';
import type { PollResult, UpstreamJob } from '@mg/providers';
import { errorMessage } from '@mg/runtime';
import type { WorkerContext } from '../worker-context.js';
import { redactUpstreamError } from './redact-upstream-error.js';
import { failOrphanedTask } from './fail-orphaned-task.js';
import { askProvider, findJobContext, type JobContext } from './job-context.js';
import { keepResult } from './keep-result.js';
import { pinKey } from './pin-key.js';
import { nextPollSeconds } from './poll-pace.js';
import { CHANNEL_BUSY_SECONDS, isPastDeadline, type StepOutcome } from './step.js';

/** A result that stands elsewhere, and elsewhere again, is somewhere in the end. */
const MAX_HOPS = 3;
/** A task whose polls fail so often in a row counts as a failed attempt of its channel, once: single ones come to nothing. */
const FAILURES_TO_COUNT = 3;
const NO_USABLE_ANSWER = 'a poll brought no usable answer: ';
const UNKNOWN_STATUS = 'unknown status of an upstream job';

/** Asks the provider how a task's job stands, through the channel and key that it was made with. */
export async function pollTask(claimed: ClaimedTask, worker: WorkerContext): Promise<StepOutcome> {
  const { task, claim } = claimed;
  if (task.charged === undefined) await worker.money.chargeTask(task.id);
  const context = await findJobContext(task, worker);
  if (context === 'gone') return failOrphanedTask(task, worker);
  if (!context) return noteUnclear(claimed, {}, 'its channel makes no videos any more', worker);
  if (!worker.gate.tryEnter(context.channel.id)) {
    await worker.store.release(claim, { nextRunSeconds: CHANNEL_BUSY_SECONDS });
    return CHANNEL_BUSY_SECONDS;
  }
  let result: PollResult;
  try {
    result = await pollProvider(task, context, worker);
  } finally {
    worker.gate.leave(context.channel.id);
  }
  worker.metrics.polls.inc({ outcome: result.kind === 'ended' ? result.state : result.kind });
  return recordPollResult(claimed, context, result, worker);
}

/** A poll that fails, whatever the reason, changes nothing. */
export async function pollProvider(
  task: Task,
  context: JobContext,
  worker: WorkerContext,
): Promise<PollResult> {
  const { surface } = context.endpoint;
  let job = jobOf(task);
  try {
    let request = await surface.poll(job, context.call);
    for (let hops = 0; hops <= MAX_HOPS; hops++) {
      const reply = await askProvider(context, request, worker);
      const result = await surface.readPoll(reply, job, context.call);
      if (result.kind !== 'elsewhere') return result;
      ({ request, job } = result);
    }
    return { kind: 'unclear', message: 'its result is always elsewhere' };
  } catch (error) {
    return { kind: 'unclear', message: errorMessage(error) };
  }
}

export function jobOf(task: Task): UpstreamJob {
  return { id: task.upstreamId ?? '', data: { ...task.upstreamData } };
}

async function recordPollResult(
  claimed: ClaimedTask,
  context: JobContext,
  result: PollResult,
  worker: WorkerContext,
): Promise<StepOutcome> {
  const { task, claim } = claimed;
  switch (result.kind) {
    case 'pending': {
      if (isPastDeadline(task)) return 'overdue';
      const { state, progress, unknownStatus } = result;
      if (unknownStatus !== undefined) {
        worker.logger.warn(
          { task: task.id, channel: context.channel.name, status: unknownStatus },
          UNKNOWN_STATUS,
        );
      }
      const nextRunSeconds = paceOf(task, context.endpoint.surface, 0);
      await worker.store.notePolled(claim, { running: state === 'running', progress }, { nextRunSeconds });
      return nextRunSeconds;
    }
    case 'succeeded':
      await endWithResult(claimed, context, result.result, result.actualSeconds, worker);
      return 'done';
    case 'ended':
      await worker.money.endTask({
        taskId: task.id,
        state: result.state,
        error: redactUpstreamError(result),
        note: `the provider ended it: ${result.code}`,
      });
      return 'done';
    default: {
      const message = explainUnclear(result);
      countFailedPolls(task, context, message, worker);
      return noteUnclear(claimed, context.endpoint.surface, message, worker);
    }
  }
}

/** What an upstream takes and never tells of is of no use to anybody, however well it takes more. */
function countFailedPolls(
  { model, pollFailures, keyHash }: Task,
  { channel }: JobContext,
  message: string,
  { attempts, keys }: WorkerContext,
): void {
  if (pollFailures + 1 !== FAILURES_TO_COUNT) return;
  const apiKey = pinKey(channel, keyHash);
  const key = (apiKey === undefined ? undefined : keys.nameOf(channel, apiKey)) ?? '';
  const reason = redactUpstreamError({ code: '', message: `${NO_USABLE_ANSWER}${message}` }).message;
  attempts.noteFailed({ channelId: channel.id, model, key }, { status: undefined, reason });
}

function explainUnclear(result: PollResult): string {
  return result.kind === 'unclear' ? result.message : result.kind;
}

async function endWithResult(
  claimed: ClaimedTask,
  context: JobContext,
  result: TaskResult,
  actualSeconds: number | undefined,
  worker: WorkerContext,
): Promise<void> {
  const kept = await keepResult(claimed, context, result, worker);
  await worker.money.endTask(
    omitUndefined({
      taskId: claimed.task.id,
      state: 'succeeded',
      result: kept,
      actualSeconds,
      note: kept.stored === undefined ? 'made' : 'made, and a copy kept',
    }),
  );
}

/** Nothing is known, so the task goes on as it is; only its deadline ends it. */
async function noteUnclear(
  { task, claim }: ClaimedTask,
  surface: Parameters<typeof nextPollSeconds>[0],
  message: string,
  worker: WorkerContext,
): Promise<StepOutcome> {
  if (isPastDeadline(task)) return 'overdue';
  const nextRunSeconds = paceOf(task, surface, task.pollFailures + 1);
  const isNews = task.pollFailures === 0;
  await worker.store.notePollFailed(claim, {
    nextRunSeconds,
    ...omitUndefined({ note: isNews ? NO_USABLE_ANSWER + message : undefined }),
  });
  return nextRunSeconds;
}

function paceOf(task: Task, surface: Parameters<typeof nextPollSeconds>[0], failures: number): number {
  const elapsedMs = Math.max(0, Date.now() - (task.submittedAt ?? task.createdAt));
  return nextPollSeconds(surface, { elapsedMs, failures });
}
