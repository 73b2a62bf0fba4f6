import type { AttemptPart } from '@mg/contract';
import type { Attempt, Part } from '@mg/routing';
import type { CallRecord } from './call-record.js';
import type { Fault } from './classify-failure.js';
import type { GatewayContext } from './gateway-context.js';
import type { Outcome, TimedAttempt } from './try-channels.js';

/** How an answer ended that had begun to go out: as a whole, left by its client, or broken off by its upstream. */
export type AnswerEnd = 'completed' | 'client_aborted' | Fault;

const BROKE_OFF = 'broke off after it had begun: ';

/** An attempt that is in the log. */
interface NotedAttempt {
  readonly attempt: TimedAttempt;
  readonly part: Part;
  readonly endpoint: string;
  /** Until its answer was there, or its first event. */
  readonly ms: number;
}

/**
 * Writes down how an attempt ended: for the log, the metrics, the trace, and what is known of the channel. Of an answer that
 * comes piece by piece the log knows at once, and everything else once the last piece is there, or it broke off or was left.
 */
export function noteAttempt(
  attempt: TimedAttempt,
  part: Part,
  outcome: Outcome,
  ms: number,
  record: CallRecord,
  gateway: GatewayContext,
): void {
  const { channel } = attempt;
  const fault = outcome.kind === 'fault' ? outcome.fault : undefined;
  const label = labelOf(outcome);
  const reason = explainAttempt(attempt, outcome);
  record.channel = channel.name;
  record.attempts.push({
    channel: channel.name,
    outcome: label,
    status: label === 'served' ? 200 : (fault?.status ?? null),
    latency_ms: Math.round(ms),
    reason,
  });
  if (isGoingOn(outcome)) {
    if (outcome.kind === 'stream') attempt.traced?.noteFirstChunk(ms);
  } else attempt.traced?.end({ outcome: label, status: fault?.status, reason });
  if (outcome.kind === 'fault' && outcome.wasted) record.noteWaste(outcome.wasted);
  if (attempt.isHedged && (label === 'served' || fault?.isCancelled)) {
    gateway.hedging.recordAnswer(channel.id, attempt.slug, ms);
  }
  if (attempt.isTimed && (outcome.kind === 'answer' || outcome.kind === 'stream')) {
    const kind = outcome.kind === 'stream' ? 'stream' : 'whole';
    gateway.load.recordLatency(channel.id, attempt.slug, kind, ms);
  }
  const noted = { attempt, part, endpoint: record.endpoint, ms };
  switch (outcome.kind) {
    case 'fault':
      return countFault(noted, outcome.fault, gateway);
    case 'abandoned':
      gateway.metrics.countAttempt(channel.name, label);
      observe(noted, '', gateway);
      return gateway.health.recordInconclusive(part);
    case 'answer':
      countServed(noted, 'whole', gateway);
      return gateway.health.recordSuccess(part, attempt.startedMs);
    case 'stream':
    case 'passthrough':
      if (!isGoingOn(outcome)) {
        countServed(noted, 'stream', gateway);
        return gateway.health.recordInconclusive(part);
      }
      gateway.attempts.noteAsked(channel.id);
      record.openAttempt = (end) => {
        traceEnd(attempt, reason, end);
        noteEnd(noted, end, record, gateway);
      };
  }
}

/** Whether its answer comes piece by piece, and the last piece is still to come. */
function isGoingOn(outcome: Outcome): boolean {
  return (outcome.kind === 'stream' || outcome.kind === 'passthrough') && outcome.isOpenEnded !== true;
}

function traceEnd({ traced }: TimedAttempt, reason: string, end: AnswerEnd): void {
  if (typeof end === 'object') {
    return traced?.end({
      outcome: 'failed',
      status: end.status,
      reason: [reason, `${BROKE_OFF}${end.reason}`].join('; '),
    });
  }
  const outcome = end === 'completed' ? 'served' : 'aborted';
  traced?.end({ outcome, status: undefined, reason });
}

/** An answer that breaks off is a failed attempt, although nobody else was asked. One that its client left shows nothing. */
function noteEnd(noted: NotedAttempt, end: AnswerEnd, record: CallRecord, gateway: GatewayContext): void {
  const { attempt, part } = noted;
  if (typeof end === 'object') {
    record.noteBroken(`${BROKE_OFF}${end.reason}`);
    return countFault(noted, end, gateway);
  }
  countServed(noted, 'stream', gateway);
  if (end === 'completed') gateway.health.recordSuccess(part, attempt.startedMs);
  else gateway.health.recordInconclusive(part);
}

function countServed(noted: NotedAttempt, kind: 'whole' | 'stream', gateway: GatewayContext): void {
  gateway.metrics.countAttempt(noted.attempt.channel.name, 'served');
  observe(noted, '', gateway);
  gateway.attempts.noteServed(toAttemptPart(noted), kind, noted.ms);
}

/** An attempt for which its caller is at fault says nothing of the channel. */
function countFault(noted: NotedAttempt, fault: Fault, gateway: GatewayContext): void {
  const { kind, status, reason } = fault;
  gateway.metrics.countAttempt(noted.attempt.channel.name, fault.isCancelled ? 'aborted' : 'failed');
  observe(noted, kind ?? 'refused', gateway);
  if (kind === undefined) return gateway.health.recordInconclusive(noted.part);
  gateway.attempts.noteFailed(toAttemptPart(noted), { status, reason });
  gateway.health.recordFailure(noted.part, { ...fault, kind });
}

function observe({ attempt, endpoint, ms }: NotedAttempt, errorType: string, gateway: GatewayContext): void {
  const { channel, slug: model } = attempt;
  gateway.metrics.genAi.observeAttempt({ endpoint, channelType: channel.type, model, errorType, ms });
}

function toAttemptPart({ attempt, part }: NotedAttempt): AttemptPart {
  return { channelId: attempt.channel.id, model: attempt.slug, key: part.key ?? '' };
}

function labelOf(outcome: Outcome): 'served' | 'failed' | 'aborted' {
  if (outcome.kind === 'abandoned') return 'aborted';
  if (outcome.kind !== 'fault') return 'served';
  return outcome.fault.isCancelled ? 'aborted' : 'failed';
}

function explainAttempt({ reason }: Attempt, outcome: Outcome): string {
  if (outcome.kind === 'fault') return `${reason}; ${outcome.fault.reason}`;
  if (outcome.kind === 'abandoned') return reason;
  const { note, dropped } = outcome.prepared;
  const said = note === undefined ? reason : `${reason}; ${note}`;
  return dropped ? `${said}; dropped ${dropped.toString()}` : said;
}
