import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelTimeouts, GatewayError, type Usage, type Wasted } from '@mg/contract';
import { type Admission, type Attempt, type Part, pauseBeforeRetry, type Plan } from '@mg/routing';
import type { GatewayContext } from './gateway-context.js';
import type { CallRecord } from './call-record.js';
import { askAlone, askHedged, type Ended, type Question } from './ask-hedged.js';
import { classifyCancelled, type Fault } from './classify-failure.js';
import { noteAttempt } from './note-attempt.js';
import type { PreparedAttempt } from './prepared-attempt.js';
import type { AttemptTrace } from '../trace/call-trace.js';

/** An attempt that brought no answer. */
export interface FaultOutcome {
  readonly kind: 'fault';
  readonly fault: Fault;
  /** What it may cost us all the same. */
  readonly wasted?: Wasted;
}

/** The client disconnected during an attempt. */
export interface AbandonedOutcome {
  readonly kind: 'abandoned';
}

/** An attempt that brought an answer, and what was left out on the way there. */
export interface AnsweredOutcome {
  readonly kind: 'answer' | 'stream' | 'passthrough';
  readonly prepared: Pick<PreparedAttempt, 'dropped' | 'note'>;
  /** A whole answer, and what it reports. */
  readonly answer?: { readonly usage: Usage | undefined };
  /** Whether it says nothing of the channel yet: a session was opened, and its answers are still to come. */
  readonly isOpenEnded?: boolean;
}

/** A channel to ask, and how long it may take: its total time counts from the beginning of the call. */
export interface TimedAttempt extends Attempt {
  readonly timeouts: ChannelTimeouts;
  /** The key to ask with; the next in turn when left out. */
  readonly apiKey?: string | undefined;
  /** What its success or failure counts for. */
  readonly part?: Part;
  /** When it began, on the clock of the channels' health. */
  readonly startedMs?: number;
  /** Its place in the trace of the call, where that has one. */
  readonly traced?: AttemptTrace | undefined;
  /** Whether it is a request of a batch that the channel's provider carries out. */
  readonly inBatch?: boolean;
  /** Whether the upstream was asked before, and did not know what it was to go on from. */
  readonly isForgotten?: boolean;
  /** Calls the attempt off. */
  readonly cancel?: AbortSignal | undefined;
  /** What is known of its request, once that is sent. */
  readonly sent?: SentRequest;
}

/** A request whose end may not be waited for. */
export interface SentRequest {
  /** What it may cost us if it is called off. */
  wasted?: () => Wasted | undefined;
}

/** A channel is asked as long as this share of its total time is left: an answer that is cut is billed to us all the same. */
const LEAST_SHARE = 0.1;
/** Keys of one channel that a call is tried with. */
const MOST_KEYS = 3;

/** How an attempt ended. */
export type Outcome = AnsweredOutcome | AbandonedOutcome | FaultOutcome;

/** Channels in turn brought no answer: the last fault, or none where no channel could be asked. */
export interface FailedOutcome {
  readonly kind: 'failed';
  readonly fault: Fault | undefined;
}

/**
 * Tries channels in the plan's order until one answers, the caller is at fault or the time of the call is over.
 *
 * @throws GatewayError of the last fault.
 */
export async function tryChannels<Served extends AnsweredOutcome>(
  plan: Plan,
  record: CallRecord,
  gateway: GatewayContext,
  send: (attempt: TimedAttempt) => Promise<Served | AbandonedOutcome | FaultOutcome>,
): Promise<Served | AbandonedOutcome> {
  const outcome = await tryInOrder(plan.attempts, { beganMs: performance.now() }, record, gateway, send);
  if (outcome.kind === 'failed') throw toError(outcome.fault);
  return outcome;
}

/** What a call has tried before. */
export interface EarlierAttempts {
  /** When the first channel of the call was asked, on the monotonic clock. */
  readonly beganMs: number;
  /** How the last channel failed, of the model before. */
  readonly last?: Fault | undefined;
}

/**
 * The same without a word for the caller. Whoever waited for one channel as long as a channel may take does not wait as long
 * again for the next.
 */
export async function tryInOrder<Served extends AnsweredOutcome>(
  attempts: readonly Attempt[],
  { beganMs, last: before }: EarlierAttempts,
  record: CallRecord,
  gateway: GatewayContext,
  send: (attempt: TimedAttempt) => Promise<Served | AbandonedOutcome | FaultOutcome>,
): Promise<Served | AbandonedOutcome | FailedOutcome> {
  let last: Fault | undefined;
  const asked = new Set<Attempt>();
  for (const [index, attempt] of attempts.entries()) {
    if (asked.has(attempt)) continue;
    const other = attempts[index + 1];
    const turn = { attempt, other, asked, isLast: other === undefined, beganMs, last: last ?? before };
    let outcome = await tryOnce(turn, record, gateway, send);
    if (isOfKey(outcome)) outcome = await tryOtherKeys(turn, outcome, record, gateway, send);
    if (outcome === 'skipped') continue;
    if (outcome === 'refused') break;
    if (outcome.kind !== 'fault') return outcome;
    last = keepTelling(last, outcome.fault);
    if (!outcome.fault.mayGoOn) break;
  }
  return { kind: 'failed', fault: last };
}

/**
 * The failure of two that a call ends with. That a channel was not asked, or has not what the request names, says nothing of
 * the one before it that failed, and might have answered.
 */
export function keepTelling(earlier: Fault | undefined, next: Fault): Fault {
  return earlier?.kind !== undefined && saysNothing(next) ? earlier : next;
}

/** Whether nobody is known to have failed. */
function saysNothing({ kind, mayGoOn }: Fault): boolean {
  return kind === undefined && mayGoOn;
}

export function toError(fault: Fault | undefined): GatewayError {
  return fault?.error ?? new GatewayError('upstream_unavailable', 'No channel could be tried.');
}

/** A channel in its turn. */
interface Turn {
  readonly attempt: Attempt;
  /** The channel that is next. */
  readonly other: Attempt | undefined;
  /** Channels that were asked before their turn. */
  readonly asked: Set<Attempt>;
  /** Whether no other channel is left. */
  readonly isLast: boolean;
  readonly beganMs: number;
  /** How the channel before it failed. */
  readonly last: Fault | undefined;
}

/** Whether a channel refused the key, so that another one of its keys may be good. */
function isOfKey(outcome: AnsweredOutcome | UnservedOutcome): outcome is FaultOutcome {
  if (outcome === 'skipped' || outcome === 'refused' || outcome.kind !== 'fault') return false;
  const { kind, mayGoOn } = outcome.fault;
  return mayGoOn && (kind === 'credential' || kind === 'limited');
}

/** How an attempt ended without an answer; it may not have been made at all. */
type UnservedOutcome = AbandonedOutcome | FaultOutcome | 'skipped' | 'refused';

/** Asks a channel once more with each of its other keys while one after another is refused or limited. */
async function tryOtherKeys<Served extends AnsweredOutcome>(
  turn: Turn,
  refused: FaultOutcome,
  record: CallRecord,
  gateway: GatewayContext,
  send: (attempt: TimedAttempt) => Promise<Served | AbandonedOutcome | FaultOutcome>,
): Promise<Served | AbandonedOutcome | FaultOutcome> {
  const { attempt } = turn;
  let outcome: Served | AbandonedOutcome | FaultOutcome = refused;
  for (let tried = 1; tried < MOST_KEYS; tried++) {
    if (!isOfKey(outcome) || !hasUsableKey(attempt, gateway)) break;
    const reason = `${attempt.reason}, with another key`;
    const again: Turn = { ...turn, attempt: { ...attempt, reason }, last: outcome.fault };
    const next: Served | UnservedOutcome = await tryOnce(again, record, gateway, send);
    if (next === 'skipped' || next === 'refused') break;
    if (next.kind === 'fault' && saysNothing(next.fault)) break;
    outcome = next;
  }
  return outcome;
}

function hasUsableKey({ channel, slug, keyName }: Attempt, { keys, health }: GatewayContext): boolean {
  if (channel.apiKeys.length < 2 || keyName !== undefined) return false;
  return keys.namesOf(channel).some((key) => health.isUsable({ channelId: channel.id, slug, key }));
}

async function tryOnce<Served extends AnsweredOutcome>(
  turn: Turn,
  record: CallRecord,
  gateway: GatewayContext,
  send: (attempt: TimedAttempt) => Promise<Served | AbandonedOutcome | FaultOutcome>,
): Promise<Served | UnservedOutcome> {
  const { attempt, isLast, beganMs, last } = turn;
  const { channel } = attempt;
  const timeouts = limitToTimeLeft(attempt, performance.now() - beganMs);
  if (!timeouts) {
    const { totalMs } = channel.timeouts;
    noteSkipped(attempt, `the call has taken the whole of its timeout.total, ${totalMs} ms`, record);
    return 'skipped';
  }
  const may = mayTry(attempt, last, record, gateway);
  if (!(may instanceof Promise ? await may : may)) return 'refused';
  const opened = openAttempt(attempt, timeouts, gateway);
  if (opened.admission === 'wait' && !isLast) {
    noteSkipped(attempt, 'another call finds out whether it is back', record);
    return 'skipped';
  }
  const toQuestion = (
    one: OpenedAttempt,
  ): Question<Served | AbandonedOutcome | FaultOutcome, OpenedAttempt> => {
    const traced = record.trace?.attempt(one);
    const asked = traced ? { ...one, traced } : one;
    return { attempt: asked, ask: (cancel) => tryCounted({ ...asked, cancel }, gateway, send) };
  };
  const usual = toQuestion(opened);
  const delayMs = mayHedge(turn) ? gateway.hedging.delayMs(channel.id, attempt.slug) : undefined;
  if (delayMs === undefined) return noteEnded([await askAlone(usual)], record, gateway);
  const second = () => {
    const hedge = openHedge(turn, gateway);
    return hedge && toQuestion(hedge);
  };
  return noteEnded(await askHedged(usual, second, delayMs), record, gateway);
}

/** A channel and the key that it is asked with. */
interface OpenedAttempt extends TimedAttempt {
  readonly part: Part;
  readonly admission: Admission;
  readonly sent: SentRequest;
}

function openAttempt(attempt: Attempt, timeouts: ChannelTimeouts, gateway: GatewayContext): OpenedAttempt {
  const key =
    attempt.keyName === undefined
      ? gateway.keys.choose(attempt, gateway.health)
      : gateway.keys.find(attempt.channel, attempt.keyName);
  const part: Part = { channelId: attempt.channel.id, slug: attempt.slug, key: key?.name };
  const admission = gateway.health.admit(part);
  const reason = admission === 'probe' ? `${attempt.reason}, a probe` : attempt.reason;
  const startedMs = gateway.health.nowMs;
  return { ...attempt, reason, timeouts, apiKey: key?.apiKey, part, startedMs, admission, sent: {} };
}

/** Channels with limits of their own are asked one after another: a call has its part of one of them at a time. */
function mayHedge({ attempt, other, asked }: Turn): boolean {
  if (!attempt.isHedged || !other || asked.has(other)) return false;
  return attempt.channel.limits === undefined && other.channel.limits === undefined;
}

/** The other channel, where it is healthy, there is time, and the budget has a hedge left. */
function openHedge({ other, asked, beganMs }: Turn, gateway: GatewayContext): OpenedAttempt | undefined {
  if (!other) return undefined;
  const { channel, slug } = other;
  const timeouts = limitToTimeLeft(other, performance.now() - beganMs);
  if (!timeouts || gateway.health.absence(channel.id, slug, gateway.keys.namesOf(channel))) return undefined;
  if (!gateway.hedging.take()) return undefined;
  asked.add(other);
  return openAttempt(
    { ...other, reason: `${other.reason}, since the one before is late` },
    timeouts,
    gateway,
  );
}

/** Notes one or two attempts. @returns the outcome of the last, which counts. */
function noteEnded<Served extends AnsweredOutcome>(
  ended: readonly Ended<Served | AbandonedOutcome | FaultOutcome, OpenedAttempt>[],
  record: CallRecord,
  gateway: GatewayContext,
): Served | AbandonedOutcome | FaultOutcome {
  for (const [index, { attempt, outcome, ms }] of ended.entries()) {
    if (index === ended.length - 1) {
      if (outcome === 'cancelled') break;
      if (outcome.kind !== 'fault') record.countedAt = attempt.channel.id;
      noteAttempt(attempt, attempt.part, outcome, ms, record, gateway);
      return outcome;
    }
    noteAttempt(attempt, attempt.part, toLost(outcome, attempt), ms, record, gateway);
  }
  throw new Error('No attempt counts.');
}

/** What became of the question that another channel answered sooner. One that has not ended by now is booked as it was sent. */
function toLost(outcome: Outcome | 'cancelled', { sent }: OpenedAttempt): FaultOutcome {
  if (outcome !== 'cancelled' && outcome.kind === 'fault') return outcome;
  const wasted = outcome === 'cancelled' ? sent.wasted?.() : readWasted(outcome);
  const lost: FaultOutcome = { kind: 'fault', fault: classifyCancelled() };
  return wasted ? { ...lost, wasted } : lost;
}

function readWasted(outcome: AnsweredOutcome | AbandonedOutcome): Wasted | undefined {
  const usage = outcome.kind === 'answer' ? outcome.answer?.usage : undefined;
  return usage && { reason: 'hedged', usage };
}

/** The call counts as in progress at its channel: until it fails there or is cancelled, or until the end of its answer. */
async function tryCounted<Asked extends Outcome>(
  attempt: TimedAttempt,
  { load }: GatewayContext,
  send: (attempt: TimedAttempt) => Promise<Asked>,
): Promise<Asked> {
  const { id } = attempt.channel;
  const { cancel } = attempt;
  load.begin(id);
  cancel?.addEventListener('abort', () => load.end(id), { once: true });
  const endUnlessCancelled = () => {
    if (!cancel?.aborted) load.end(id);
  };
  try {
    const outcome = await send(attempt);
    if (outcome.kind === 'fault') endUnlessCancelled();
    return outcome;
  } catch (error) {
    endUnlessCancelled();
    throw error;
  }
}

/**
 * Whether a channel may be asked: the first one always, another one within the budget of retries and after a moment. What was
 * never sent costs nothing, so it is sent elsewhere at once.
 */
function mayTry(
  attempt: Attempt,
  last: Fault | undefined,
  record: CallRecord,
  { retries, hedging, metrics }: GatewayContext,
): boolean | Promise<boolean> {
  const retry = record.attempts.length - record.skipped;
  if (retry === 0) retries.noteCall();
  if (retry === 0 && attempt.isHedged) hedging.noteCall();
  if (retry === 0 || last?.kind === undefined || last.kind === 'unreachable') return true;
  if (!retries.take()) {
    metrics.retriesRefused.inc();
    noteSkipped(attempt, 'a tenth of the calls were retries already', record);
    return false;
  }
  return sleep(pauseBeforeRetry(retry, Math.random()), true);
}

function limitToTimeLeft({ channel, firstTokenMs }: Attempt, passedMs: number): ChannelTimeouts | undefined {
  const { timeouts } = channel;
  const totalMs = Math.ceil(timeouts.totalMs - passedMs);
  if (totalMs === timeouts.totalMs && firstTokenMs === undefined) return timeouts;
  if (totalMs < timeouts.totalMs * LEAST_SHARE) return undefined;
  return { ...timeouts, totalMs, firstByteMs: Math.min(timeouts.firstByteMs, firstTokenMs ?? Infinity) };
}

function noteSkipped({ channel }: Attempt, why: string, record: CallRecord): void {
  record.skipped++;
  record.attempts.push({
    channel: channel.name,
    outcome: 'failed',
    status: null,
    latency_ms: 0,
    reason: `not asked: ${why}`,
  });
}
