import { type ErrorCode, GatewayError, type Usage } from '@mg/contract';
import {
  type ChatProtocol,
  EventTooLargeError,
  type FaultClass,
  findChatProtocol,
  type JsonObject,
  parseOpenAiError,
  readFaultClass,
  type StreamReader,
} from '@mg/protocols';
import { type BodyReader, UpstreamFailure } from '@mg/transport';
import { nameRequest } from '../edge/find-dialect.js';
import { nextTurn, ReadingPace } from '../edge/loop-turns.js';
import { describeRoute, nameDropped } from './describe-route.js';
import type { GatewayContext } from './gateway-context.js';
import type { HeldCall, RelayEnd, RelayedAnswer } from './relay.js';
import { classifyBrokenOff, classifyGarbage, type Fault, redactUpstreamError } from './classify-failure.js';
import { ClientPace } from './client-pace.js';
import { classifyErrorEvent, shortenFault } from './read-fault.js';
import { leaveCheckpoint } from './settle.js';
import type { StreamOutcome } from './take-answer.js';

/** How a stream ended, and what was read off it. */
export type StreamEnding = RelayedAnswer & { readonly reader: StreamReader };

/** Bytes of one stream that are read in one step: one or two milliseconds where they are converted, however short its events are. */
const STEP_BYTES = 16 * 1024;
const CHECKPOINT_EVERY_MS = 2_000;
/** A stream opens and closes with an event that carries no token. */
const FRAMING_EVENTS = 2;
/** Most bytes of a stream's end that wait for its cost: more comes only of several answers, of which one ends early. */
const MAX_HELD_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);
/** How SDKs and agents tell a limit, which passes, from a failure. */
const CODE_OF: Readonly<Partial<Record<FaultClass, ErrorCode>>> = {
  limited: 'rate_limited',
  overloaded: 'upstream_unavailable',
};

/**
 * Passes a stream on, as it is or converted, at the client's pace. When the client leaves, the upstream's connection is
 * closed; when the upstream breaks, the client gets an error event. Ends exactly once, and never tries another
 * channel: bytes have left. What ends a whole answer is left to the caller to send: its last event, where the protocol has
 * one, and the end of the connection.
 */
export function relayStream(
  outcome: StreamOutcome,
  call: HeldCall,
  gateway: GatewayContext,
): Promise<StreamEnding> {
  gateway.metrics.openStreams++;
  return new Promise<StreamEnding>((resolve) => {
    const relay = new StreamRelay(outcome, call, gateway, resolve);
    call.client.watch(() => relay.leave());
    relay.start();
  }).finally(() => void gateway.metrics.openStreams--);
}

class StreamRelay implements BodyReader {
  readonly #reader: StreamReader;
  readonly #protocol: ChatProtocol;
  /** Of the next event, where the client's protocol numbers them. */
  #number = 0;
  #checkpoints = 0;
  #checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
  #prompt: Usage | undefined;
  #ended = false;
  /** Whether the client has to take what was written before more is read. */
  #isClientFull = false;
  /** The end of an answer that is to show its cost: what came once the upstream had said that the answer is whole. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  readonly #pace = new ReadingPace();
  readonly #clientPace = new ClientPace();

  constructor(
    private readonly outcome: StreamOutcome,
    private readonly call: HeldCall,
    private readonly gateway: GatewayContext,
    private readonly resolve: (ending: StreamEnding) => void,
  ) {
    this.#reader = outcome.format.createReader();
    this.#protocol = findChatProtocol(call.operation.dialect);
  }

  start(): void {
    const { client, record, operation } = this.call;
    const { stream, prepared } = this.outcome;
    client.openStream({
      ...nameRequest(operation.dialect, record.requestId),
      ...describeRoute(record),
      'content-type':
        operation.framing === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...nameDropped(prepared.dropped?.toString()),
    });
    record.ttftMs = record.elapsedMs();
    stream.attach(this);
  }

  data(chunk: Buffer): void | Promise<void> {
    if (chunk.length > STEP_BYTES) return this.#waitFor(this.#readInSteps(chunk));
    const room = this.#pace.waitFor(chunk.length);
    return room ? this.#waitFor(room.then(() => this.#read(chunk))) : this.#read(chunk);
  }

  async #readInSteps(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      const step = chunk.subarray(at, at + STEP_BYTES);
      // Whether there is room is asked just before reading: whoever waits in between lets others take the same room.
      const room = this.#pace.waitFor(step.length);
      if (room) await room;
      const read = this.#read(step);
      if (read) await read;
    }
  }

  #read(chunk: Buffer): void | Promise<void> {
    if (this.#ended) return;
    try {
      const bytes = this.#reader.push(chunk, nextTurn);
      if (bytes instanceof Promise) return this.#takeLarge(bytes, (large) => this.#take(large));
      this.#take(bytes);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#break(error.message, classifyGarbage(error.message));
      return;
    }
    const turn = this.#ended ? undefined : this.#pace.count(chunk.length);
    return turn && this.#waitFor(turn);
  }

  /**
   * Lets others go on: a fast upstream sends megabytes in one turn, as much may have waited for the first event, and other
   * streams begin in the same turn.
   */
  async #waitFor(turn: Promise<void>): Promise<void> {
    const { stream } = this.outcome;
    stream.pause();
    await turn;
    if (!this.#isClientFull) stream.resume();
  }

  /** Waits for a large event to be read in steps; the upstream waits as well. */
  async #takeLarge(bytes: Promise<Buffer>, take: (large: Buffer) => void): Promise<void> {
    const { stream } = this.outcome;
    stream.pause();
    try {
      const large = await bytes;
      if (this.#ended) return;
      stream.resume();
      take(large);
    } catch (error) {
      if (this.#ended) return;
      this.gateway.logger.error({ err: error }, 'an event of an upstream could not be read');
      this.#breakOff(new UpstreamFailure('broken', 'an event of its stream could not be read'));
    }
  }

  #take(bytes: Buffer): void {
    if (this.#reader.done && !this.#reader.fault) {
      this.#finish({ kind: 'completed' }, bytes);
      return;
    }
    this.#forward(bytes);
    if (this.#reader.fault) this.#breakBy(this.#reader.fault);
    else if (performance.now() >= this.#checkpointDueMs) void this.#leaveCheckpoint();
  }

  end(): void {
    if (this.#ended) return;
    const bytes = this.#reader.end(nextTurn);
    if (bytes instanceof Promise) {
      void this.#takeLarge(bytes, (large) => this.#conclude(large));
      return;
    }
    this.#conclude(bytes);
  }

  #conclude(bytes: Buffer): void {
    if (this.#reader.ended && !this.#reader.fault) {
      this.#finish({ kind: 'completed' }, bytes);
      return;
    }
    this.#forward(bytes);
    if (this.#reader.fault) this.#breakBy(this.#reader.fault);
    else this.#breakOff(new UpstreamFailure('broken', 'its stream ended early'));
  }

  fail(failure: UpstreamFailure): void {
    if (this.#ended) return;
    // What comes after the end of the answer cannot spoil it.
    if (this.#reader.ended) this.#finish({ kind: 'completed' });
    else this.#breakOff(failure);
  }

  /**
   * The client has left. An answer that is whole by then may still have its usage to come, and one that only its upstream can count
   * goes on to its end.
   */
  leave(): void {
    if (this.#ended || this.#reader.ended) return;
    const { operation, hold } = this.call;
    if (operation.mustBeReported(hold, this.#reader)) return this.#goOn();
    this.#finish({ kind: 'client_aborted' });
    this.outcome.call.abort();
  }

  /** Nobody is waited for any more. */
  #goOn(): void {
    if (!this.#isClientFull) return;
    this.#isClientFull = false;
    this.#clientPace.noteDrained();
    this.outcome.stream.resume();
  }

  #breakBy(event: JsonObject): void {
    const about = readFaultClass(event);
    const brief = shortenFault(event);
    this.#break(explainFault(brief), classifyErrorEvent(brief), about && CODE_OF[about], event);
  }

  #breakOff(failure: UpstreamFailure): void {
    this.#break(failure.message, classifyBrokenOff(failure));
  }

  /** @param said event by which the upstream said so. */
  #break(problem: string, fault: Fault, code: ErrorCode = 'upstream_error', said?: JsonObject): void {
    const error = new GatewayError(code, `The upstream failed in mid-stream: ${problem}.`);
    const { operation, record, client } = this.call;
    record.errorCode = code;
    const protocol = this.#protocol;
    const event =
      (said && protocol.renderFailure?.(said, error, record.requestId)) ??
      protocol.renderErrorEvent(error, record.requestId, operation.framing, this.#number);
    client.endStream(Buffer.concat([...this.#held, Buffer.from(event)]));
    this.#finish({ kind: 'upstream_failed', fault: this.#clientPace.judge(fault) });
    this.outcome.call.abort();
  }

  #forward(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const last = this.#protocol.readEventNumber?.(bytes);
    if (last !== undefined) this.#number = last + 1;
    if (!this.#hold(bytes)) this.#write(bytes);
  }

  /** @returns whether the bytes wait for the cost of the call. */
  #hold(bytes: Buffer): boolean {
    if (!this.call.operation.showCost || !this.#reader.ended) return false;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MAX_HELD_BYTES) {
      const held = Buffer.concat(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      this.#write(held);
    }
    return true;
  }

  #write(bytes: Buffer): void {
    const { stream } = this.outcome;
    this.#isClientFull = !this.call.client.write(bytes, () => this.#goOn());
    if (!this.#isClientFull) return;
    this.#clientPace.noteFull();
    stream.pause();
  }

  #finish(end: RelayEnd, last: Buffer = NOTHING): void {
    this.#ended = true;
    const held = this.#held.length === 0 ? last : Buffer.concat([...this.#held, last]);
    this.resolve({ ...end, reader: this.#reader, last: held });
  }

  async #leaveCheckpoint(): Promise<void> {
    this.#checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
    const { operation, hold, record } = this.call;
    // Counting the prompt's tokens takes longer than reading a hundred events: it is not done where usage was reported.
    const prompt = this.#reader.usage ?? (this.#prompt ??= await operation.estimateSent(hold));
    if (this.#ended) return;
    const usage = approximateUsageSoFar(this.#reader, prompt, this.outcome, this.call);
    leaveCheckpoint(record, hold, { seq: this.#checkpoints++, usage }, this.gateway);
  }
}

/** What a stream has used by now: what it reported, or its prompt and a token for each event. */
export function approximateUsageSoFar(
  reader: StreamReader,
  prompt: Usage,
  { prepared }: StreamOutcome,
  { operation, hold }: HeldCall,
): Usage {
  const reported = reader.usage ?? prompt;
  const outputTokens = Math.max(reported.outputTokens, reader.events - FRAMING_EVENTS);
  return operation.billable({ ...reported, outputTokens }, hold, prepared);
}

/** What the upstream said in its error event, without what is not for the client's eyes. */
function explainFault(fault: JsonObject): string {
  const { message } = parseOpenAiError(JSON.stringify(fault));
  return message === undefined ? 'it sent an error' : redactUpstreamError(message).replace(/\.$/, '');
}
