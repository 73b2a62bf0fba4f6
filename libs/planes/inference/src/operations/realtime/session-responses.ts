import { GatewayError, NO_USAGE, type Usage } from '@mg/contract';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import { recordCall } from '../../call/record-call.js';
import { leaveCheckpoint, release, releaseHold, settle } from '../../call/settle.js';
import type { Permit } from '../../limits/permit.js';
import { billAnswer, boundResponse } from './session-operation.js';
import { openPart, reservePart, type SessionFacts, takeRates } from './session-part.js';
import { SessionTokens } from './session-tokens.js';

/** Responses of one session at the same time. A conversation has one; others are asked for beside it. */
const MOST_AT_ONCE = 8;
const CHECKPOINT_EVERY_MS = 2_000;
const CLIENT_LEFT = 499;
/** What a response has said that has not begun. */
const NOTHING = { textBytes: 0, audioBytes: 0 };
const FAILED = new GatewayError('upstream_error', 'The upstream failed.');

/** Money and rates that are set aside for one response. */
interface Reservation {
  readonly hold: Hold;
  readonly permit: Permit;
}

interface AskedResponse extends Reservation {
  readonly eventId: string | undefined;
}

interface RunningResponse extends Reservation {
  readonly record: CallRecord;
  textBytes: number;
  audioBytes: number;
  /** What the upstream says that it has used so far. */
  used: Usage | undefined;
  checkpoints: number;
  checkpointDueMs: number;
}

/** Why a response ended. */
export type ResponseEnd =
  | { readonly kind: 'answered'; readonly usage: Usage | undefined }
  /** The client has left, and the upstream may not have said what it used. */
  | { readonly kind: 'left'; readonly usage: Usage | undefined }
  | { readonly kind: 'failed'; readonly error: GatewayError; readonly usage: Usage | undefined };

/**
 * What the responses of a session cost. Each is a call of its own: its worst case is held before the upstream is asked for it, or ahead
 * where the upstream begins responses by itself; it is charged by what the upstream says that it used, and has a row in the
 * log.
 */
export class SessionResponses {
  readonly tokens: SessionTokens;
  readonly #facts: SessionFacts;
  readonly #gateway: GatewayContext;
  /** Held for the next response. */
  #ahead: Hold | undefined;
  #isClosed = false;
  /** Asked for, in their order, and not begun. */
  readonly #asked: AskedResponse[] = [];
  readonly #running = new Map<string, RunningResponse>();

  /** @param first what was held for the first response before the session was opened. */
  constructor(facts: SessionFacts, first: Hold | undefined, gateway: GatewayContext) {
    this.#facts = facts;
    this.#gateway = gateway;
    this.#ahead = first;
    this.tokens = new SessionTokens(facts.audio);
  }

  /** Ids of the responses that are being made. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && !this.isAsked;
  }

  /** Whether the client waits for a response that has not begun. */
  get isAsked(): boolean {
    return this.#asked.length > 0;
  }

  /**
   * Sets aside what a response may cost that the client asks for.
   *
   * @throws GatewayError as `reserve`; `rate_limited`; `invalid_api_key` where the key is no longer good.
   */
  async ask(eventId: string | undefined): Promise<void> {
    if (this.#running.size + this.#asked.length >= MOST_AT_ONCE) {
      throw new GatewayError('rate_limited', `A session makes ${MOST_AT_ONCE} responses at once at most.`);
    }
    this.#asked.push({ ...(await this.#take()), eventId });
  }

  /**
   * The upstream will not make what the client asked for by this event.
   *
   * @param isFailure whether it failed at it: it may bill what was sent.
   */
  refuse(eventId: string | undefined, isFailure: boolean): void {
    const index = this.#asked.findIndex((asked) => asked.eventId === eventId);
    const [asked] = index < 0 || eventId === undefined ? [] : this.#asked.splice(index, 1);
    if (!asked) return;
    if (isFailure) return this.#lose(asked, FAILED);
    asked.permit.end(0);
    if (this.#ahead) releaseHold(asked.hold.requestId, this.#gateway);
    else this.#ahead = asked.hold;
  }

  /** Holds what the next response may cost that the upstream begins by itself. @throws GatewayError as `ask`. */
  async keepAhead(): Promise<void> {
    if (this.#ahead) return;
    const hold = await this.#reserve();
    // The client may have asked for a response meanwhile, whose hold was given back.
    if (this.#ahead) releaseHold(hold.requestId, this.#gateway);
    else this.#ahead = hold;
  }

  /** The upstream has begun a response, asked for or by itself. @throws GatewayError as `ask`. */
  async begin(responseId: string): Promise<void> {
    if (this.#running.has(responseId)) return;
    if (this.#running.size >= MOST_AT_ONCE) {
      throw new GatewayError('upstream_error', 'The upstream began too many responses.');
    }
    const reservation = this.#asked.shift() ?? (await this.#take());
    const record = openPart(this.#facts, reservation.hold, this.#facts.session, 'a response');
    const checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
    this.#running.set(responseId, {
      ...reservation,
      record,
      textBytes: 0,
      audioBytes: 0,
      used: undefined,
      checkpoints: 0,
      checkpointDueMs,
    });
  }

  /** A piece of a response has come. */
  note(responseId: string, textBytes: number, audioBytes: number): void {
    const running = this.#running.get(responseId);
    if (!running) return;
    const { record, hold } = running;
    record.ttftMs ??= record.elapsedMs();
    running.textBytes += textBytes;
    running.audioBytes += audioBytes;
    if (performance.now() < running.checkpointDueMs) return;
    running.checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
    const checkpoint = { seq: running.checkpoints++, usage: running.used ?? this.#estimate(running) };
    leaveCheckpoint(record, hold, checkpoint, this.#gateway);
  }

  /** The upstream says what a response has used so far. */
  noteUsed(responseId: string, usage: Usage): void {
    const running = this.#running.get(responseId);
    if (running) running.used = this.#bill(usage);
  }

  /** Charges a response, and writes it into the log. When it resolves, what it cost outlives this process. */
  async end(responseId: string, end: ResponseEnd): Promise<void> {
    const running = this.#running.get(responseId);
    if (!running) return;
    this.#running.delete(responseId);
    const { record, hold, permit } = running;
    const reported = end.usage ? this.#bill(end.usage) : running.used;
    const usage = reported ?? this.#estimate(running);
    if (reported) this.tokens.noteReported(reported);
    try {
      if (end.kind === 'failed') {
        record.fail(end.error);
        record.noteWaste({ reason: 'stream_broken', usage, priceVersionId: hold.price.versionId });
        release(record, hold, this.#gateway);
      } else {
        await settle(record, hold, { usage, estimated: reported === undefined }, this.#gateway);
        record.end(end.kind === 'left' ? 'client_aborted' : 'completed');
      }
    } finally {
      this.#gateway.heldCalls.end(hold.requestId);
      permit.end(record.usage.inputTokens + record.usage.outputTokens);
      recordCall(record, this.#gateway);
    }
  }

  /** Ends every response that is being made, and gives back what is held for others. */
  async close(end: ResponseEnd): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.running.map((responseId) => this.end(responseId, end)));
    for (const asked of this.#asked.splice(0))
      this.#lose(asked, end.kind === 'failed' ? end.error : undefined);
    if (this.#ahead) releaseHold(this.#ahead.requestId, this.#gateway);
    this.#ahead = undefined;
  }

  /**
   * A response was asked for and never began. Nobody pays for it, and the upstream may bill what it was to read.
   *
   * @param error why; `undefined` where the client has left.
   */
  #lose({ hold, permit }: AskedResponse, error: GatewayError | undefined): void {
    const record = openPart(this.#facts, hold, this.#facts.session, 'a response that did not begin');
    if (error) record.fail(error);
    else record.end('client_aborted', CLIENT_LEFT);
    const usage = this.#estimate(NOTHING);
    record.noteWaste({
      reason: error ? 'failed' : 'abandoned',
      usage,
      priceVersionId: hold.price.versionId,
    });
    release(record, hold, this.#gateway);
    permit.end(0);
    recordCall(record, this.#gateway);
  }

  /** Rates first: whoever is over them holds no money. */
  async #take(): Promise<Reservation> {
    const { candidate } = this.#facts;
    const { inputTokens, outputTokens } = boundResponse(candidate.model);
    const permit = await takeRates(this.#facts, candidate.model, inputTokens + outputTokens, this.#gateway);
    try {
      const ahead = this.#ahead;
      this.#ahead = undefined;
      return { hold: ahead ?? (await this.#reserve()), permit };
    } catch (error) {
      permit.end(0);
      throw error;
    }
  }

  async #reserve(): Promise<Hold> {
    const hold = await reservePart(this.#facts, this.#facts.operation, this.#gateway);
    if (!this.#isClosed) return hold;
    releaseHold(hold.requestId, this.#gateway);
    throw new GatewayError('service_unavailable', 'The session has ended.');
  }

  #bill(usage: Usage): Usage {
    return billAnswer(usage, this.#facts.operation, this.#facts.candidate.model);
  }

  #estimate({ textBytes, audioBytes }: Pick<RunningResponse, 'textBytes' | 'audioBytes'>): Usage {
    const { contextWindow } = this.#facts.candidate.model;
    return { ...NO_USAGE, ...this.tokens.estimate(contextWindow, textBytes, audioBytes) };
  }
}
