import { setTimeout as sleep } from 'node:timers/promises';

/** The loser was told to stop: its answer is not waited for any longer than this. */
const STOPPED_WITHIN_MS = 250;

/** A request to one channel that can be cancelled. */
export interface Question<Outcome, Attempt> {
  readonly attempt: Attempt;
  /** Asks; `cancel` makes it end as a fault soon. */
  readonly ask: (cancel: AbortSignal | undefined) => Promise<Outcome>;
}

/** How one question went, in the order in which they are to be noted. */
export interface Ended<Outcome, Attempt> {
  readonly attempt: Attempt;
  readonly outcome: Outcome | 'cancelled';
  readonly ms: number;
}

/** One that was not cancelled. */
interface Answered<Outcome, Attempt> extends Ended<Outcome, Attempt> {
  readonly outcome: Outcome;
}

interface Running<Outcome, Attempt> {
  readonly attempt: Attempt;
  readonly startedMs: number;
  readonly cancel: AbortController;
  readonly outcome: Promise<Outcome>;
}

/**
 * Asks a channel, and another one as well when its answer is late and the budget has a hedge left. The first answer counts, the
 * other request is cancelled. Where one of them fails the other is waited for.
 *
 * @param second is asked for when the first is late; nothing where no other channel may be asked.
 * @param delayMs after how long an answer is late.
 * @returns one or both, the one that counts last.
 */
export async function askHedged<Outcome extends { readonly kind: string }, Attempt>(
  usual: Question<Outcome, Attempt>,
  second: () => Question<Outcome, Attempt> | undefined,
  delayMs: number,
): Promise<readonly Ended<Outcome, Attempt>[]> {
  const one = begin(usual);
  const question = (await isLaterThan(one.outcome, delayMs)) ? second() : undefined;
  if (!question) return [await end(one)];
  const two = begin(question);
  const first = await findFirst(one, two);
  const other = first.by === one ? two : one;
  if (first.ended.outcome.kind === 'fault') return [first.ended, await end(other)];
  const ms = performance.now() - other.startedMs;
  other.cancel.abort();
  const stopped = sleep(STOPPED_WITHIN_MS, 'cancelled' as const, { ref: false });
  const outcome = await Promise.race([other.outcome.catch(() => 'cancelled' as const), stopped]);
  return [{ attempt: other.attempt, outcome, ms }, first.ended];
}

interface First<Outcome, Attempt> {
  readonly by: Running<Outcome, Attempt>;
  readonly ended: Answered<Outcome, Attempt>;
}

/** The one that ends first. An error that is no outcome calls both off. */
async function findFirst<Outcome, Attempt>(
  one: Running<Outcome, Attempt>,
  two: Running<Outcome, Attempt>,
): Promise<First<Outcome, Attempt>> {
  try {
    return await Promise.race([one, two].map(async (by) => ({ by, ended: await end(by) })));
  } catch (error) {
    one.cancel.abort();
    two.cancel.abort();
    throw error;
  }
}

/** Asks a channel, however late its answer is. */
export async function askAlone<Outcome, Attempt>({
  attempt,
  ask,
}: Question<Outcome, Attempt>): Promise<Ended<Outcome, Attempt>> {
  const startedMs = performance.now();
  const outcome = await ask(undefined);
  return { attempt, outcome, ms: performance.now() - startedMs };
}

async function isLaterThan(outcome: Promise<unknown>, delayMs: number): Promise<boolean> {
  const done = new AbortController();
  const late = sleep(delayMs, true, { signal: done.signal }).catch(() => true);
  try {
    return await Promise.race([outcome.then(() => false), late]);
  } finally {
    done.abort();
  }
}

function begin<Outcome, Attempt>({ attempt, ask }: Question<Outcome, Attempt>): Running<Outcome, Attempt> {
  const cancel = new AbortController();
  const outcome = ask(cancel.signal);
  // It may end after nobody waits for it any more.
  outcome.catch(() => undefined);
  return { attempt, startedMs: performance.now(), cancel, outcome };
}

async function end<Outcome, Attempt>({
  attempt,
  startedMs,
  outcome,
}: Running<Outcome, Attempt>): Promise<Answered<Outcome, Attempt>> {
  return { attempt, outcome: await outcome, ms: performance.now() - startedMs };
}
