import type { Permit } from '../limits/permit.js';
import type { CallTrace } from '../trace/call-trace.js';
import type { AnswerEnd } from './note-attempt.js';
import {
  type AttemptRow,
  type CallerToken,
  type CallReason,
  type GatewayError,
  type NanoUsd,
  NO_USAGE,
  type RequestLogRow,
  type Usage,
  type Wasted,
  type WastedAttempt,
} from '@mg/contract';
import { scrubSecrets } from '@mg/runtime';

/** Characters of an error's message in the log, and of it those that are looked at for credentials. */
const LONGEST_MESSAGE = 500;
const MOST_READ = 4 * LONGEST_MESSAGE;

/** What is known of one call so far; the stages fill it in and the log row is read off it at the end. */
export class CallRecord {
  readonly createdAt = new Date();
  readonly attempts: AttemptRow[] = [];
  /** Attempts that an upstream may bill us for and that nobody pays. */
  readonly waste: WastedAttempt[] = [];
  /** Whether the cache answered it, where it was asked. */
  cache: 'hit' | 'miss' | undefined;
  /** Whether it is a line of a batch, which costs the batch's share of the price. */
  isBatched = false;
  /** Whether it goes on with the call of a process that was lost, under its id and with its hold. */
  isTakenOver = false;
  /** Whether its client left before the last channel was sent anything. */
  isUnsent = false;
  /** Id of the channel at which the call counts as in progress. */
  countedAt: string | undefined;
  /** Attempts in the list for which no channel was asked. */
  skipped = 0;
  /** Notes how the answer of the last attempt ended, where it goes out piece by piece. */
  openAttempt: ((end: AnswerEnd) => void) | undefined;
  readonly #startedMs = performance.now();
  #answerReadyMs: number | undefined;
  model = '';
  /** What the caller named, where it is not the model's slug. */
  askedModel: string | undefined;
  stream = false;
  channel: string | undefined;
  priceVersionId: string | undefined;
  /** The lease that it was admitted from. */
  leaseId: string | undefined;
  usage: Usage = NO_USAGE;
  cost: NanoUsd = 0n;
  estimated = false;
  /** Whether it cost more than was held for it. */
  isOverHold = false;
  status = 0;
  errorCode: string | undefined;
  /** The error message that the client got, bounded and without anything that looks like a credential. */
  errorMessage: string | undefined;
  reason: CallReason = 'refused';
  ttftMs: number | undefined;
  /** The smallest limit of tokens per minute that the call is under. */
  tokenLimit: number | undefined;
  /** Tokens that it is counted with until its end. */
  mostTokens = 0;
  /** What it was given of its limits, and of those of the channel that is asked; it stands among the calls of limited channels. */
  permit: Permit | undefined;
  leaveChannels: (() => void) | undefined;
  channelPermit: { readonly channelId: string; readonly permit: Permit; isUsed: boolean } | undefined;
  /** What it was given of the limits of another model that it went on to. */
  otherPermit: Permit | undefined;
  /** Where the call is traced. */
  trace: CallTrace | undefined;
  /** Gateways that the call came through before this one. */
  hops: string | undefined;

  constructor(
    /** The id that money and log know the call by; a call taken over after a crash keeps the first one's. */
    public requestId: string,
    readonly endpoint: string,
    readonly caller: CallerToken,
  ) {}

  /** Notes what was asked for. */
  describe({ model, stream }: { readonly model: string; readonly stream: boolean }): void {
    this.model = model;
    this.stream = stream;
  }

  /** Notes the model that a name stands for: what is routed, limited and charged from here on. */
  resolve(slug: string): void {
    if (slug === this.model) return;
    this.askedModel = this.model;
    this.model = slug;
  }

  /** Notes the model that answers, and its price. */
  serveBy(model: string, priceVersionId: string | undefined): void {
    this.model = model;
    this.priceVersionId = priceVersionId;
  }

  /** Notes that the call was answered, whole or in part. */
  end(reason: CallReason, status = 200): void {
    this.status = status;
    this.reason = reason;
  }

  /** Notes that the client got an error instead of an answer. */
  fail({ status, code, message }: GatewayError): void {
    this.status = status;
    this.errorCode = code;
    this.errorMessage = scrubSecrets(message.slice(0, MOST_READ)).slice(0, LONGEST_MESSAGE);
    this.reason = this.attempts.length > this.skipped ? 'upstream_failed' : 'refused';
  }

  /** Notes that the last attempt may cost us something that the caller does not pay. */
  noteWaste(wasted: Wasted): void {
    const attempt = this.attempts.length - 1;
    const channel = this.attempts[attempt]?.channel;
    if (channel !== undefined) this.waste.push({ attempt, channel, ...wasted });
  }

  /** Notes that the last attempt failed, whose answer had begun to go out. @param why stands behind why it was asked. */
  noteBroken(why: string): void {
    const last = this.attempts.pop();
    if (last) this.attempts.push({ ...last, outcome: 'failed', reason: [last.reason, why].join('; ') });
  }

  /** Gives back what the call was given of its limits and did not use. */
  endPermits(): void {
    // A repeated answer used none.
    const tokens = this.cache === 'hit' ? 0 : this.usage.inputTokens + this.usage.outputTokens;
    this.permit?.end(tokens);
    this.channelPermit?.permit.end(tokens);
    this.otherPermit?.end(tokens);
    this.#forgetPermits();
  }

  /** Gives all of it back, of a call that takes its part of other limits instead: a call counts as one request. */
  giveBackPermits(): void {
    this.permit?.giveBack();
    this.channelPermit?.permit.giveBack();
    this.otherPermit?.giveBack();
    this.#forgetPermits();
  }

  #forgetPermits(): void {
    this.leaveChannels?.();
    this.permit = this.channelPermit = this.otherPermit = this.leaveChannels = undefined;
  }

  /** Milliseconds since the call came in. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  /** Milliseconds until the answer was ready; measured once, so that its header and its body say the same. */
  answerLatencyMs(): number {
    return (this.#answerReadyMs ??= this.elapsedMs());
  }

  /** The policy that an answered call was charged by: the first that applies. */
  #explainCharge(): CallReason {
    if (this.isOverHold) return 'over_hold';
    if (this.estimated) return 'estimated';
    return this.attempts.length - this.skipped > 1 ? 'retried' : 'completed';
  }

  toLogRow(): RequestLogRow {
    return {
      requestId: this.requestId,
      createdAt: this.createdAt,
      userId: this.caller.userId,
      tokenId: this.caller.id,
      tokenName: this.caller.name,
      walletId: this.caller.walletId,
      model: this.model.slice(0, 256),
      askedModel: this.askedModel?.slice(0, 256),
      endpoint: this.endpoint,
      channel: this.channel,
      status: this.status,
      errorCode: this.errorCode,
      errorMessage: this.errorMessage,
      stream: this.stream,
      latencyMs: this.elapsedMs(),
      ttftMs: this.ttftMs,
      usage: this.usage,
      cost: this.cost,
      estimated: this.estimated,
      reason: this.reason === 'completed' ? this.#explainCharge() : this.reason,
      attempts: this.attempts,
      priceVersionId: this.priceVersionId,
      leaseId: this.leaseId,
    };
  }
}
