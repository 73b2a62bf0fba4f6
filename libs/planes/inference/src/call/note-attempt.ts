import type { AttemptPart } from '@mg/contract';
import type { Attempt, Part } from '@mg/routing';
import type { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import type { Outcome, TimedAttempt } from './try-channels.js';

/** Writes down how an attempt ended: for the log, the metrics, the trace, and what is known of the channel. */
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
  record.channel = channel.name;
  record.attempts.push({
    channel: channel.name,
    outcome: label,
    status: label === 'served' ? 200 : (fault?.status ?? null),
    latency_ms: Math.round(ms),
    reason: explainAttempt(attempt, outcome),
  });
  attempt.traced?.end({ outcome: label, status: fault?.status, reason: explainAttempt(attempt, outcome) });
  if (outcome.kind === 'fault' && outcome.wasted) record.noteWaste(outcome.wasted);
  gateway.metrics.countAttempt(channel.name, label);
  const { slug: model } = attempt;
  const errorType = fault ? (fault.kind ?? 'refused') : '';
  gateway.metrics.genAi.observeAttempt({
    endpoint: record.endpoint,
    channelType: channel.type,
    model,
    errorType,
    ms,
  });
  tallyAttempt({ channelId: channel.id, model: attempt.slug, key: part.key ?? '' }, outcome, ms, gateway);
  if (attempt.isHedged && (label === 'served' || fault?.isCancelled)) {
    gateway.hedging.recordAnswer(channel.id, attempt.slug, ms);
  }
  if (attempt.isTimed && (outcome.kind === 'answer' || outcome.kind === 'stream')) {
    const kind = outcome.kind === 'stream' ? 'stream' : 'whole';
    gateway.load.recordLatency(channel.id, attempt.slug, kind, ms);
  }
  const isOpenEnded = outcome.kind !== 'fault' && outcome.kind !== 'abandoned' && outcome.isOpenEnded;
  if (label === 'served' && !isOpenEnded) gateway.health.recordSuccess(part);
  else if (fault?.kind) gateway.health.recordFailure(part, { ...fault, kind: fault.kind });
  else gateway.health.recordInconclusive(part);
}

function labelOf(outcome: Outcome): 'served' | 'failed' | 'aborted' {
  if (outcome.kind === 'abandoned') return 'aborted';
  if (outcome.kind !== 'fault') return 'served';
  return outcome.fault.isCancelled ? 'aborted' : 'failed';
}

/** An attempt for which its caller is at fault says nothing of the channel. */
function tallyAttempt(part: AttemptPart, outcome: Outcome, ms: number, { attempts }: GatewayContext): void {
  if (outcome.kind === 'fault') {
    const { kind, status, reason } = outcome.fault;
    if (kind !== undefined) attempts.noteFailed(part, { status: status ?? undefined, reason });
  } else if (outcome.kind !== 'abandoned') {
    attempts.noteServed(part, outcome.kind === 'answer' ? 'whole' : 'stream', ms);
  }
}

function explainAttempt({ reason }: Attempt, outcome: Outcome): string {
  if (outcome.kind === 'fault') return `${reason}; ${outcome.fault.reason}`;
  if (outcome.kind === 'abandoned') return reason;
  const { note, dropped } = outcome.prepared;
  const said = note === undefined ? reason : `${reason}; ${note}`;
  return dropped ? `${said}; dropped ${dropped.toString()}` : said;
}
