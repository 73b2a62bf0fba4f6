import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, GatewayError, newId, type Price } from '@mg/contract';
import {
  LONGEST_FAILURE_BYTES,
  parseLongServerMessage,
  type RealtimeClientEvent,
  type RealtimeServerEvent,
  type ServerEventReader,
  type SessionProtocol,
} from '@mg/protocols';
import { scrubSecrets } from '@mg/runtime';
import type { Peer, PeerClose } from '@mg/transport';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { resolveModel } from '../../call/resolve-model.js';
import { nextTurn } from '../../edge/loop-turns.js';
import type { OpenSession } from '../../edge/open-sessions.js';
import { classifyStatus } from '../../call/classify-failure.js';
import { codeOf, GOING_AWAY, NORMAL_CLOSE, type SessionEnd } from './session-end.js';
import type { SessionHealth } from './session-health.js';
import { refuseUnrated } from './session-operation.js';
import type { ResponseEnd, SessionResponses } from './session-responses.js';
import type { SessionTranscripts } from './session-transcripts.js';

const LEFT: ResponseEnd = { kind: 'left', usage: undefined };
const SLOW_DOWN_MS = 250;
const CHECK_EVERY_MS = 1_000;
/** Codes of errors that concern the account by which the upstream is asked. */
const OWN_ACCOUNT = /quota|billing|api_key|rate_limit|organization/;
/** What a client may go on after: it asked for something wrong, or too often. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'rate_limited', 'model_not_priced']);

export interface SessionParts {
  readonly protocol: SessionProtocol;
  readonly client: Peer;
  readonly upstream: Peer;
  readonly responses: SessionResponses;
  readonly transcripts: SessionTranscripts;
  /** Of the session itself. */
  readonly record: CallRecord;
  readonly health: SessionHealth;
  /** The upstream's own name of the model. */
  readonly upstreamModel: string;
  /** What the session was opened at. */
  readonly price: Price;
}

/** Passes messages between a client and an upstream, one after another in each direction, and sees that each response is paid for. */
export class RealtimeSession implements OpenSession {
  readonly #parts: SessionParts;
  readonly #gateway: GatewayContext;
  readonly #reader: ServerEventReader;
  readonly #ended = Promise.withResolvers<SessionEnd>();
  readonly #openedMs = performance.now();
  #heardMs = performance.now();
  #answersSpeech: boolean;
  #isDraining = false;
  /** The upstream has said that it will close. */
  #isUpstreamLeaving = false;
  /** What goes on is talked into, and another response is to follow. */
  #isFollowed = false;
  /** Set once the session ends: nothing is passed on any more, but what the upstream says that it used. */
  #end: SessionEnd | undefined;
  #settling: Promise<void> | undefined;
  #names = 0;

  constructor(parts: SessionParts, gateway: GatewayContext) {
    this.#parts = parts;
    this.#gateway = gateway;
    this.#reader = parts.protocol.openReader(parts.upstreamModel);
    this.#answersSpeech = parts.protocol.answersAnything;
  }

  /** Resolves when both sides are closed and everything is charged. */
  async run(): Promise<SessionEnd> {
    const { client, upstream } = this.#parts;
    const check = setInterval(() => this.#checkTimes(), CHECK_EVERY_MS);
    client.listen({
      message: (bytes) => this.#guard('client', () => this.#takeFromClient(bytes)),
      closed: () => this.#finish({ reason: 'client_left' }),
    });
    upstream.listen({
      message: (bytes) => this.#guard('upstream', () => this.#takeFromUpstream(bytes)),
      closed: (close) => this.#noteUpstreamClosed(close),
    });
    const end = await this.#ended.promise;
    clearInterval(check);
    return end;
  }

  drain(): void {
    this.#isDraining = true;
    const notice = this.#parts.protocol.renderGoingAway();
    if (notice !== undefined && !this.#end) void this.#parts.client.send(notice);
    this.#endIfDrained();
  }

  cut(): void {
    this.#finish({ reason: 'drained' });
  }

  async #guard(from: 'client' | 'upstream', take: () => Promise<void>): Promise<void> {
    this.#heardMs = performance.now();
    this.#gateway.metrics.sessions.countMessage(from);
    try {
      await take();
    } catch (error) {
      if (error instanceof GatewayError) return this.#refuse(error, from);
      this.#gateway.logger.error(
        { err: error, request_id: this.#parts.record.requestId },
        'a session failed',
      );
      this.#finish({ reason: 'failed', error: new GatewayError('internal_error', 'The gateway failed.') });
    }
  }

  async #takeFromClient(bytes: Buffer): Promise<void> {
    if (this.#end) return;
    const { protocol, upstream, responses, transcripts, record, upstreamModel, price } = this.#parts;
    await protocol.parseLongClientEvent(bytes, nextTurn);
    if (this.#end) return;
    const event = protocol.readClientEvent(bytes, {
      isOwnModel: (name) => this.#isOwnModel(name),
      upstreamModel,
      nameTranscriber: (name, param) => transcripts.nameUpstream(name, param),
      nameEvent: () => `event_${record.requestId}_${++this.#names}`,
    });
    if (event.image !== undefined) {
      refuseUnrated([{ param: event.image, rate: 'image_input_per_million' }], { slug: record.model }, price);
    }
    // What is said now would begin another answer.
    if (this.#isDraining) return this.#endIfDrained();
    await this.#payAhead(event);
    if (event.transcription !== undefined) await transcripts.want(event.transcription);
    if (event.commitsAudio) await transcripts.ask();
    transcripts.noteAudio(event.added.audio);
    responses.tokens.noteSent(event.added);
    await upstream.send(event.bytes);
  }

  /** Nothing that may begin a response is passed on before that is paid for; one that goes on may be added to. */
  async #payAhead({ createsResponse, eventId }: RealtimeClientEvent): Promise<void> {
    const { responses, protocol } = this.#parts;
    if (protocol.answersAnything && !responses.isIdle) {
      this.#isFollowed ||= createsResponse;
      return;
    }
    if (protocol.answersAnything) await responses.keepAhead();
    if (createsResponse) await responses.ask(eventId);
  }

  #isOwnModel(name: string): boolean {
    const { model, askedModel } = this.#parts.record;
    return name === askedModel || resolveModel(this.#gateway.catalog(), name, 'realtime')?.slug === model;
  }

  async #takeFromUpstream(bytes: Buffer): Promise<void> {
    await parseLongServerMessage(bytes, nextTurn);
    const events = this.#reader.read(bytes);
    if (this.#end) return this.#takeLastUsage(events ?? []);
    if (!events) throw new GatewayError('upstream_error', 'The upstream sent what is no event.');
    const { client, responses } = this.#parts;
    for (const event of events) await this.#account(event);
    if (this.#end) return;
    if (!events.some(({ kind }) => kind === 'own-account')) await client.send(this.#show(events, bytes));
    this.#endIfDrained();
    const mayAnswer = events.some(({ kind }) => kind === 'response-ended' || kind === 'session');
    if (mayAnswer && this.#answersSpeech && !this.#end) await responses.keepAhead();
  }

  /** What the client gets of a message: errors without what they say of the account that is the gateway's, and none that is long. */
  #show(events: readonly RealtimeServerEvent[], bytes: Buffer): Buffer | string {
    const error = events.find(({ kind }) => kind === 'error');
    const hasFailed = events.some((event) => event.kind === 'response-ended' && event.status === 'failed');
    if (!error && !hasFailed) return bytes;
    if (bytes.length > LONGEST_FAILURE_BYTES) {
      const problem = 'The upstream refused an event, and said why at too great a length.';
      return this.#renderError(new GatewayError('invalid_request', problem)) ?? '';
    }
    const isOfAccount = error?.kind === 'error' && OWN_ACCOUNT.test(error.code ?? '');
    const shown =
      isOfAccount &&
      this.#renderError(
        new GatewayError('upstream_unavailable', 'The upstream is over its limits. Try again later.'),
      );
    return shown || scrubSecrets(bytes.toString('utf8'));
  }

  #renderError(error: GatewayError): string | undefined {
    const { protocol, record } = this.#parts;
    return protocol.renderError(error, { event: `event_${newId()}`, request: record.requestId });
  }

  /** Does what an event means for money, before the client sees it. */
  async #account(event: RealtimeServerEvent): Promise<void> {
    const { responses, transcripts } = this.#parts;
    switch (event.kind) {
      case 'session':
        this.#answersSpeech = event.answersSpeech;
        responses.tokens.rates = event.audio;
        transcripts.heardBytes = event.audio.heardBytes;
        await transcripts.noteTold(event.transcriber);
        break;
      case 'response-begun':
        this.#isFollowed = false;
        await responses.begin(event.responseId);
        break;
      case 'going-away':
        this.#isUpstreamLeaving = true;
        break;
      case 'produced':
        responses.note(event.responseId, event.textBytes, event.audioBytes);
        break;
      case 'used':
        responses.noteUsed(event.responseId, event.usage);
        break;
      case 'response-ended':
        await responses.begin(event.responseId);
        await responses.end(event.responseId, toResponseEnd(event));
        if (event.status !== 'failed') this.#parts.health.noteAnswered();
        break;
      case 'heard':
        await transcripts.begin(event.itemId);
        break;
      case 'transcribing':
        await transcripts.note(event.itemId);
        break;
      case 'transcribed':
        await transcripts.end(event.itemId, event.transcript, event.usage);
        if (event.transcript !== undefined) this.#parts.health.noteAnswered();
        break;
      case 'error':
        responses.refuse(event.eventId, event.isFailure);
        transcripts.refuse();
        break;
      default:
    }
  }

  /** The session is over, and responses that were called off are still to be charged. */
  async #takeLastUsage(events: readonly RealtimeServerEvent[]): Promise<void> {
    const { responses, transcripts, upstream, protocol } = this.#parts;
    for (const event of events) {
      if (event.kind === 'response-begun' && (responses.isAsked || this.#isFollowed)) {
        this.#isFollowed = false;
        await responses.begin(event.responseId);
        await upstream.send(protocol.renderCancel(event.responseId));
      }
      if (event.kind === 'used') responses.noteUsed(event.responseId, event.usage);
      if (event.kind === 'heard') await transcripts.begin(event.itemId);
      if (event.kind === 'transcribed') await transcripts.end(event.itemId, event.transcript, event.usage);
      if (event.kind === 'response-ended') {
        await responses.end(event.responseId, { kind: 'left', usage: event.usage });
      }
    }
    if (this.#isAllSaid) upstream.close(NORMAL_CLOSE, '');
  }

  /** Whether the upstream has nothing to say any more that costs anything. */
  get #isAllSaid(): boolean {
    const { responses, transcripts } = this.#parts;
    return responses.isIdle && !transcripts.isAwaiting && !this.#isFollowed;
  }

  /** Tells the client; whatever does not pass ends the session. */
  async #refuse(error: GatewayError, from: 'client' | 'upstream'): Promise<void> {
    if (this.#end) return;
    const { client, record } = this.#parts;
    if (from === 'upstream' || !PASSING.has(error.code)) {
      if (error.code !== 'upstream_error') return this.#finish({ reason: 'refused', error });
      this.#parts.health.noteFailed(error.message);
      return this.#finish({ reason: 'upstream_lost', error }, { kind: 'failed', error, usage: undefined });
    }
    const shown = this.#renderError(error);
    if (shown === undefined) return this.#finish({ reason: 'refused', error });
    if (this.#gateway.shares.refusals.isOver(record.caller.id)) await sleep(SLOW_DOWN_MS);
    await client.send(shown);
  }

  #noteUpstreamClosed(close: PeerClose): void {
    const { responses, transcripts, protocol, health, record } = this.#parts;
    const { code, reason } = close;
    if (this.#end) return void this.#settle(LEFT);
    this.#gateway.logger.info(
      { request_id: record.requestId, code, reason: scrubSecrets(reason) },
      'an upstream closed a session',
    );
    const status = protocol.statusOfClose(close);
    const fault =
      status === undefined
        ? undefined
        : classifyStatus(status, { message: reason, param: undefined }, undefined);
    // What it had begun at its client's fault is its client's to pay for.
    if (fault && fault.kind === undefined)
      return this.#finish({ reason: 'refused', error: fault.error }, LEFT);
    const isUsual = code === NORMAL_CLOSE || code === GOING_AWAY || this.#isUpstreamLeaving;
    if (isUsual && responses.isIdle && !transcripts.isAwaiting) {
      return this.#finish({ reason: 'upstream_closed' }, LEFT);
    }
    if (!this.#isUpstreamLeaving) health.noteClosed(close, fault);
    const error = fault?.error ?? new GatewayError('upstream_error', 'The upstream ended the session.');
    this.#finish({ reason: 'upstream_lost', error }, { kind: 'failed', error, usage: undefined });
  }

  #endIfDrained(): void {
    const { responses, transcripts } = this.#parts;
    const isAtWork = !responses.isIdle || transcripts.isAwaiting;
    if (this.#isDraining && !isAtWork) this.#finish({ reason: 'drained' });
  }

  #checkTimes(): void {
    const { longestMs, idleMs } = this.#gateway.sessions.times;
    const nowMs = performance.now();
    if (nowMs - this.#openedMs > longestMs) this.#finish({ reason: 'expired' });
    else if (nowMs - this.#heardMs > idleMs) this.#finish({ reason: 'idle' });
  }

  /**
   * Ends the session, once: says why, calls off what is being answered, and has it charged.
   *
   * @param rest what becomes of that where the upstream says nothing any more.
   */
  #finish(end: SessionEnd, rest?: ResponseEnd): void {
    if (this.#end) return;
    this.#end = end;
    const { client, upstream, responses, protocol } = this.#parts;
    const shown = end.error && this.#renderError(end.error);
    if (shown !== undefined) void client.send(shown);
    const { code, reason } = (end.error && protocol.renderClose(end.error)) ?? {
      code: codeOf(end),
      reason: end.error?.code ?? end.reason,
    };
    client.close(code, reason);
    if (rest || this.#isAllSaid) {
      upstream.close(NORMAL_CLOSE, '');
      void this.#settle(rest ?? LEFT);
      return;
    }
    for (const id of responses.running) void upstream.send(protocol.renderCancel(id));
    setTimeout(() => {
      upstream.close(NORMAL_CLOSE, '');
      void this.#settle(LEFT);
    }, this.#gateway.sessions.times.lastUsageMs);
  }

  /** Once: what closes the upstream comes here, and so does its end. */
  #settle(rest: ResponseEnd): Promise<void> {
    return (this.#settling ??= this.#settleOnce(rest));
  }

  async #settleOnce(rest: ResponseEnd): Promise<void> {
    const { record, responses, transcripts } = this.#parts;
    try {
      await Promise.all([transcripts.close(rest.kind === 'failed'), responses.close(rest)]);
    } catch (error) {
      this.#gateway.logger.error(
        { err: error, request_id: record.requestId },
        'a session could not be settled',
      );
    }
    if (this.#end) this.#ended.resolve(this.#end);
  }
}

function toResponseEnd({
  status,
  usage,
}: Extract<RealtimeServerEvent, { kind: 'response-ended' }>): ResponseEnd {
  if (status !== 'failed') return { kind: 'answered', usage };
  return { kind: 'failed', error: new GatewayError('upstream_error', 'The upstream failed.'), usage };
}
