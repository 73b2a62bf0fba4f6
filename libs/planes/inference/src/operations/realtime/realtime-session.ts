import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, GatewayError } from '@mg/contract';
import { readClientEvent, readServerEvent, type RealtimeServerEvent } from '@mg/protocols';
import { scrubSecrets } from '@mg/runtime';
import type { Peer, PeerClose } from '@mg/transport';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { resolveModel } from '../../call/resolve-model.js';
import type { OpenSession } from '../../edge/open-sessions.js';
import { renderErrorEvent } from './render-error-event.js';
import type { SessionHealth } from './session-health.js';
import type { ResponseEnd, SessionResponses } from './session-responses.js';
import type { SessionTranscripts } from './session-transcripts.js';

/** How long a session may last, and how long nobody may say anything in it. */
export interface SessionTimes {
  readonly longestMs: number;
  readonly idleMs: number;
}

/** As long as OpenAI lets a session last. */
export const SESSION_TIMES: SessionTimes = { longestMs: 60 * 60_000, idleMs: 15 * 60_000 };

/** For what responses used that are called off, once the client has left. */
const LAST_USAGE_MS = 2_000;
const SLOW_DOWN_MS = 250;
const CHECK_EVERY_MS = 1_000;
/** Codes of RFC 6455, section 7.4.1. */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY = 1008;
const FAILED = 1011;
const RESTART = 1012;

/** Codes of errors that concern the account by which the upstream is asked. */
const OWN_ACCOUNT = /quota|billing|api_key|rate_limit|organization/;
/** What a client may go on after: it asked for something wrong, or too often. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'rate_limited', 'model_not_priced']);

/** How a session ended, for its row in the log and for the metrics. */
export interface SessionEnd {
  readonly reason:
    | 'client_left'
    | 'upstream_closed'
    | 'upstream_lost'
    | 'refused'
    | 'idle'
    | 'expired'
    | 'drained'
    | 'failed';
  readonly error?: GatewayError;
}

export interface SessionParts {
  readonly client: Peer;
  readonly upstream: Peer;
  readonly responses: SessionResponses;
  readonly transcripts: SessionTranscripts;
  /** Of the session itself. */
  readonly record: CallRecord;
  readonly health: SessionHealth;
  /** The upstream's own name of the model. */
  readonly upstreamModel: string;
  /** Models that the session's channel serves, and its own names of them. */
  readonly channelModels: ReadonlyMap<string, string>;
  /** Whether images in the conversation have a price. */
  readonly pricesImages: boolean;
  readonly times: SessionTimes;
}

/** Passes messages between a client and an upstream, one after another in each direction, and sees that each response is paid for. */
export class RealtimeSession implements OpenSession {
  readonly #parts: SessionParts;
  readonly #gateway: GatewayContext;
  readonly #ended = Promise.withResolvers<SessionEnd>();
  readonly #openedMs = performance.now();
  #heardMs = performance.now();
  #answersSpeech = false;
  #isDraining = false;
  /** Set once the session ends: nothing is passed on any more, but what the upstream says that it used. */
  #end: SessionEnd | undefined;
  #settling: Promise<void> | undefined;
  #names = 0;

  constructor(parts: SessionParts, gateway: GatewayContext) {
    this.#parts = parts;
    this.#gateway = gateway;
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
    const { upstream, responses, transcripts, record, upstreamModel, channelModels, pricesImages } =
      this.#parts;
    const event = readClientEvent(bytes, {
      isOwnModel: (name) => this.#isOwnModel(name),
      upstreamModel,
      nameTranscriber: (name, param) => transcripts.nameUpstream(name, param, channelModels),
      nameEvent: () => `event_${record.requestId}_${++this.#names}`,
    });
    if (event.image !== undefined && !pricesImages) {
      const problem = `${event.image}: the model "${record.model}" has no image_input_per_million.`;
      throw new GatewayError('invalid_request', problem, { param: event.image, reason: 'model_not_priced' });
    }
    // What is said now would begin another answer.
    if (this.#isDraining) return this.#endIfDrained();
    if (event.createsResponse) await responses.ask(event.eventId);
    if (event.transcription !== undefined) await transcripts.want(event.transcription);
    if (event.type === 'input_audio_buffer.append') transcripts.noteAudio(bytes.length);
    responses.tokens.noteSent(event.type, bytes.length);
    await upstream.send(event.bytes);
  }

  #isOwnModel(name: string): boolean {
    const { model, askedModel } = this.#parts.record;
    return name === askedModel || resolveModel(this.#gateway.catalog(), name, 'realtime')?.slug === model;
  }

  async #takeFromUpstream(bytes: Buffer): Promise<void> {
    const event = readServerEvent(bytes);
    if (this.#end) return this.#takeLastUsage(event);
    if (!event) throw new GatewayError('upstream_error', 'The upstream sent what is no event.');
    const { client, responses } = this.#parts;
    await this.#account(event);
    if (this.#end || event.kind === 'own-account') return;
    await client.send(this.#show(event, bytes));
    this.#endIfDrained();
    const mayAnswer = event.kind === 'response-ended' || event.kind === 'session';
    if (mayAnswer && this.#answersSpeech && !this.#end) await responses.keepAhead();
  }

  /** What the client gets of an event: errors without what they say of the account that is the gateway's. */
  #show(event: RealtimeServerEvent, bytes: Buffer): Buffer | string {
    const isFailure =
      event.kind === 'error' || (event.kind === 'response-ended' && event.status === 'failed');
    if (!isFailure) return bytes;
    if (event.kind !== 'error' || !OWN_ACCOUNT.test(event.code ?? ''))
      return scrubSecrets(bytes.toString('utf8'));
    const error = new GatewayError(
      'upstream_unavailable',
      'The upstream is over its limits. Try again later.',
    );
    return renderErrorEvent(error, this.#parts.record.requestId);
  }

  /** Does what an event means for money, before the client sees it. */
  async #account(event: RealtimeServerEvent): Promise<void> {
    const { responses, transcripts } = this.#parts;
    switch (event.kind) {
      case 'session':
        this.#answersSpeech = event.answersSpeech;
        responses.tokens.bytesPerSecond = event.bytesPerSecond;
        break;
      case 'response-begun':
        await responses.begin(event.responseId);
        break;
      case 'produced':
        responses.note(event.responseId, event.text, event.audioBytes);
        break;
      case 'response-ended':
        await responses.begin(event.responseId);
        await responses.end(event.responseId, toResponseEnd(event));
        if (event.status !== 'failed') this.#parts.health.noteAnswered();
        break;
      case 'heard':
        await transcripts.begin(event.itemId);
        break;
      case 'transcribed':
        await transcripts.end(event.itemId, event.transcript, event.usage);
        break;
      case 'error':
        responses.refuse(event.eventId, event.isFailure);
        break;
      default:
    }
  }

  /** The session is over, and responses that were called off are still to be charged. */
  async #takeLastUsage(event: RealtimeServerEvent | undefined): Promise<void> {
    const { responses, transcripts, upstream } = this.#parts;
    if (event?.kind === 'response-begun' && responses.isAsked) {
      await responses.begin(event.responseId);
      await upstream.send(renderCancel(event.responseId));
    }
    if (event?.kind === 'transcribed') await transcripts.end(event.itemId, event.transcript, event.usage);
    if (event?.kind === 'response-ended') {
      await responses.end(event.responseId, { kind: 'left', usage: event.usage });
    }
    if (responses.isIdle && !transcripts.isAwaiting) upstream.close(NORMAL, '');
  }

  /** Tells the client; whatever does not pass ends the session. */
  async #refuse(error: GatewayError, from: 'client' | 'upstream'): Promise<void> {
    if (this.#end) return;
    const { client, record } = this.#parts;
    if (from === 'upstream' || !PASSING.has(error.code)) {
      const isLost = error.code === 'upstream_error';
      if (isLost) this.#parts.health.noteFailed(error.message);
      this.#finish({ reason: isLost ? 'upstream_lost' : 'refused', error });
      return;
    }
    if (this.#gateway.shares.refusals.isOver(record.caller.id)) await sleep(SLOW_DOWN_MS);
    await client.send(renderErrorEvent(error, record.requestId));
  }

  #noteUpstreamClosed({ code, reason }: PeerClose): void {
    const { responses } = this.#parts;
    if (this.#end) {
      void this.#settle({ kind: 'left', usage: undefined });
      return;
    }
    const isUsual = (code === NORMAL || code === GOING_AWAY) && responses.isIdle;
    this.#gateway.logger.info(
      { request_id: this.#parts.record.requestId, code, reason: scrubSecrets(reason) },
      'an upstream closed a session',
    );
    const error = new GatewayError('upstream_error', 'The upstream ended the session.');
    if (!isUsual) this.#parts.health.noteClosed(code, reason);
    this.#finish(isUsual ? { reason: 'upstream_closed' } : { reason: 'upstream_lost', error });
  }

  #endIfDrained(): void {
    if (this.#isDraining && this.#parts.responses.isIdle) this.#finish({ reason: 'drained' });
  }

  #checkTimes(): void {
    const { longestMs, idleMs } = this.#parts.times;
    const nowMs = performance.now();
    if (nowMs - this.#openedMs > longestMs) this.#finish({ reason: 'expired' });
    else if (nowMs - this.#heardMs > idleMs) this.#finish({ reason: 'idle' });
  }

  /** Ends the session, once: says why, calls off what is being answered, and has it charged. */
  #finish(end: SessionEnd): void {
    if (this.#end) return;
    this.#end = end;
    const { client, upstream, responses, transcripts, record } = this.#parts;
    if (end.error) void client.send(renderErrorEvent(end.error, record.requestId));
    client.close(codeOf(end), end.error?.code ?? end.reason);
    if (end.reason === 'upstream_lost' || end.reason === 'upstream_closed') {
      upstream.close(NORMAL, '');
      const error = end.error ?? new GatewayError('upstream_error', 'The upstream ended the session.');
      void this.#settle({ kind: 'failed', error, usage: undefined });
      return;
    }
    if (responses.isIdle && !transcripts.isAwaiting) {
      upstream.close(NORMAL, '');
      void this.#settle({ kind: 'left', usage: undefined });
      return;
    }
    for (const id of responses.running) void upstream.send(renderCancel(id));
    setTimeout(() => {
      upstream.close(NORMAL, '');
      void this.#settle({ kind: 'left', usage: undefined });
    }, LAST_USAGE_MS);
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

function renderCancel(response_id: string): string {
  return JSON.stringify({ type: 'response.cancel', response_id });
}

function toResponseEnd({
  status,
  usage,
}: Extract<RealtimeServerEvent, { kind: 'response-ended' }>): ResponseEnd {
  if (status !== 'failed') return { kind: 'answered', usage };
  return { kind: 'failed', error: new GatewayError('upstream_error', 'The upstream failed.'), usage };
}

function codeOf({ reason, error }: SessionEnd): number {
  switch (reason) {
    case 'drained':
      return RESTART;
    case 'refused':
      return error?.code === 'service_unavailable' ? FAILED : POLICY;
    case 'upstream_lost':
    case 'failed':
      return FAILED;
    case 'idle':
    case 'expired':
      return GOING_AWAY;
    default:
      return NORMAL;
  }
}
