import type { Task, TaskResult } from '@mg/contract';
import type { PollVerdict, UpstreamJob } from '@mg/providers';
import type { WorkerKit } from '../worker-kit.js';
import { cleanWords } from './clean-words.js';
import { endAlone } from './end-alone.js';
import { askProvider, explain, findJobLine, type JobLine } from './job-line.js';
import { keepResult } from './keep-result.js';
import { nextPollSeconds } from './poll-pace.js';
import { CROWDED_SECONDS, type HeldTask, isPastDeadline, type StepOutcome } from './step.js';

/** A result that stands elsewhere, and elsewhere again, is somewhere in the end. */
const MAX_HOPS = 3;
const UNKNOWN_WORD = 'a provider has a word for the state of a job that nobody here knows';

/** Asks the provider how a task's job stands, through the channel and key that it was made with. */
export async function pollTask(held: HeldTask, kit: WorkerKit): Promise<StepOutcome> {
  const { task, claim } = held;
  if (task.charged === undefined) await kit.money.chargeTask(task.id);
  const line = await findJobLine(task, kit);
  if (line === 'gone') return endAlone(task, kit);
  if (!line) return noteUnclear(held, {}, 'its channel makes no videos any more', kit);
  if (!kit.gate.tryEnter(line.channel.id)) {
    await kit.store.giveBack(claim, { nextRunSeconds: CROWDED_SECONDS });
    return CROWDED_SECONDS;
  }
  let verdict: PollVerdict;
  try {
    verdict = await askForVerdict(task, line, kit);
  } finally {
    kit.gate.leave(line.channel.id);
  }
  kit.metrics.polls.inc({ outcome: verdict.kind === 'ended' ? verdict.state : verdict.kind });
  return writeVerdict(held, line, verdict, kit);
}

/** A poll that fails, whatever the reason, is no verdict. */
export async function askForVerdict(task: Task, line: JobLine, kit: WorkerKit): Promise<PollVerdict> {
  const { surface } = line.endpoint;
  let job = jobOf(task);
  try {
    let request = await surface.poll(job, line.call);
    for (let hops = 0; hops <= MAX_HOPS; hops++) {
      const reply = await askProvider(line, request, kit);
      const verdict = await surface.readPoll(reply, job, line.call);
      if (verdict.kind !== 'elsewhere') return verdict;
      ({ request, job } = verdict);
    }
    return { kind: 'unclear', message: 'its result is always elsewhere' };
  } catch (error) {
    return { kind: 'unclear', message: explain(error) };
  }
}

export function jobOf(task: Task): UpstreamJob {
  return { id: task.upstreamId ?? '', data: { ...task.upstreamData } };
}

async function writeVerdict(
  held: HeldTask,
  line: JobLine,
  verdict: PollVerdict,
  kit: WorkerKit,
): Promise<StepOutcome> {
  const { task, claim } = held;
  switch (verdict.kind) {
    case 'pending': {
      if (isPastDeadline(task)) return 'overdue';
      const { state, progress, unknownWord } = verdict;
      if (unknownWord !== undefined) {
        kit.logger.warn({ task: task.id, channel: line.channel.name, word: unknownWord }, UNKNOWN_WORD);
      }
      const nextRunSeconds = paceOf(task, line.endpoint.surface, 0);
      await kit.store.notePolled(claim, { running: state === 'running', progress }, { nextRunSeconds });
      return nextRunSeconds;
    }
    case 'succeeded':
      await endWithResult(held, line, verdict.result, verdict.actualSeconds, kit);
      return 'done';
    case 'ended':
      await kit.money.endTask({
        taskId: task.id,
        state: verdict.state,
        error: cleanWords(verdict),
        note: `the provider ended it: ${verdict.code}`,
      });
      return 'done';
    default:
      return noteUnclear(held, line.endpoint.surface, explainUnclear(verdict), kit);
  }
}

function explainUnclear(verdict: PollVerdict): string {
  return verdict.kind === 'unclear' ? verdict.message : verdict.kind;
}

async function endWithResult(
  held: HeldTask,
  line: JobLine,
  result: TaskResult,
  actualSeconds: number | undefined,
  kit: WorkerKit,
): Promise<void> {
  const kept = await keepResult(held, line, result, kit);
  await kit.money.endTask({
    taskId: held.task.id,
    state: 'succeeded',
    result: kept,
    ...(actualSeconds === undefined ? {} : { actualSeconds }),
    note: kept.stored === undefined ? 'made' : 'made, and a copy kept',
  });
}

/** Nothing is known, so the task goes on as it is; only its deadline ends it. */
async function noteUnclear(
  { task, claim }: HeldTask,
  surface: Parameters<typeof nextPollSeconds>[0],
  message: string,
  kit: WorkerKit,
): Promise<StepOutcome> {
  if (isPastDeadline(task)) return 'overdue';
  const nextRunSeconds = paceOf(task, surface, task.pollFailures + 1);
  const isNews = task.pollFailures === 0;
  await kit.store.notePollFailed(claim, {
    nextRunSeconds,
    ...(isNews ? { note: `a poll told nothing: ${message}` } : {}),
  });
  return nextRunSeconds;
}

function paceOf(task: Task, surface: Parameters<typeof nextPollSeconds>[0], failures: number): number {
  const elapsedMs = Math.max(0, Date.now() - (task.submittedAt ?? task.createdAt));
  return nextPollSeconds(surface, { elapsedMs, failures });
}
