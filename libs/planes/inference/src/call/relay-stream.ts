import { GatewayError, type Usage } from '@mg/contract';
import { EventTooLargeError, type JsonObject, readOpenAiComplaint, type StreamReader } from '@mg/protocols';
import { type BodyReader, type UpstreamCall, UpstreamFailure } from '@mg/transport';
import type { ClientConnection } from '../http/client-connection.js';
import type { Kit } from '../kit.js';
import { cleanComplaint } from './classify-failure.js';
import type { CallRecord } from './call-record.js';
import type { DroppedFields } from './dropped-fields.js';
import type { PeekedStream } from './peek-stream.js';
import type { Hold } from './hold.js';
import { leaveCheckpoint } from './settle.js';

/** How a stream ended, and what was read off it. */
export interface StreamEnding {
  readonly kind: 'completed' | 'client_aborted' | 'upstream_failed';
  readonly reader: StreamReader;
}

const CHECKPOINT_EVERY_MS = 2_000;
/** A stream opens and closes with an event that carries no token. */
const FRAMING_EVENTS = 2;

/** A stream of an upstream whose first event is good. */
export interface OpenedStream {
  readonly stream: PeekedStream;
  readonly call: UpstreamCall;
  readonly lane: { readonly dropped: DroppedFields | undefined; createReader(): StreamReader };
}

/** The call that a stream answers. */
export interface StreamedCall {
  readonly record: CallRecord;
  readonly hold: Hold;
  readonly client: ClientConnection;
  /** Headers that name the call and the type of the client's stream, such as `text/event-stream; charset=utf-8`. */
  readonly headers: Readonly<Record<string, string>>;
  /** An error in mid-stream, in the client's dialect. */
  renderError(error: GatewayError): string;
  /** Usage of what was sent, for checkpoints before the upstream tells any. */
  estimatePrompt(): Promise<Usage>;
  /** What of reported usage is billed. */
  bill(usage: Usage): Usage;
}

/**
 * Passes a stream on, as it is or converted, at the client's pace. When the client leaves, the upstream's connection is
 * closed; when the upstream breaks, the client gets an error event. Ends exactly once, and never tries another
 * channel: bytes have left.
 */
export function relayStream(opened: OpenedStream, streamed: StreamedCall, kit: Kit): Promise<StreamEnding> {
  kit.metrics.openStreams.inc();
  return new Promise<StreamEnding>((resolve) => {
    const relay = new StreamRelay(opened, streamed, kit, resolve);
    streamed.client.watch(() => relay.leave());
    relay.start();
  }).finally(() => kit.metrics.openStreams.dec());
}

class StreamRelay implements BodyReader {
  readonly #reader: StreamReader;
  #checkpoints = 0;
  #checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
  #prompt: Usage | undefined;
  #ended = false;

  constructor(
    private readonly opened: OpenedStream,
    private readonly streamed: StreamedCall,
    private readonly kit: Kit,
    private readonly resolve: (ending: StreamEnding) => void,
  ) {
    this.#reader = opened.lane.createReader();
  }

  start(): void {
    const { client, record, headers } = this.streamed;
    const { stream, lane } = this.opened;
    client.openStream({
      ...headers,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...(lane.dropped ? { 'x-gateway-dropped': lane.dropped.toString() } : {}),
    });
    record.ttftMs = record.elapsedMs();
    stream.attach(this);
  }

  data(chunk: Buffer): void {
    if (this.#ended) return;
    try {
      this.#forward(this.#reader.push(chunk));
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#break(error.message);
      return;
    }
    if (this.#reader.fault) this.#break(explainFault(this.#reader.fault));
    else if (this.#reader.done) this.#complete();
    else if (performance.now() >= this.#checkpointDueMs) void this.#leaveCheckpoint();
  }

  end(): void {
    if (this.#ended) return;
    this.#forward(this.#reader.end());
    if (this.#reader.fault) this.#break(explainFault(this.#reader.fault));
    else if (this.#reader.ended) this.#complete();
    else this.#break('its stream ended early');
  }

  fail(failure: UpstreamFailure): void {
    if (this.#ended) return;
    // What comes after the end of the answer cannot spoil it.
    if (this.#reader.ended) this.#complete();
    else this.#break(failure.message);
  }

  /** The client has left. An answer that is whole by then may still have its usage to come. */
  leave(): void {
    if (this.#ended || this.#reader.ended) return;
    this.kit.metrics.clientAborts.inc();
    this.#finish('client_aborted');
    this.opened.call.abort();
  }

  #complete(): void {
    this.streamed.client.endStream();
    this.#finish('completed');
  }

  #break(problem: string): void {
    const error = new GatewayError('upstream_error', `The upstream failed in mid-stream: ${problem}.`);
    this.streamed.record.errorCode = error.code;
    this.streamed.client.endStream(this.streamed.renderError(error));
    this.#finish('upstream_failed');
    this.opened.call.abort();
  }

  #forward(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const { stream } = this.opened;
    if (!this.streamed.client.write(bytes, () => stream.resume())) stream.pause();
  }

  #finish(kind: StreamEnding['kind']): void {
    this.#ended = true;
    this.resolve({ kind, reader: this.#reader });
  }

  async #leaveCheckpoint(): Promise<void> {
    this.#checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
    this.#prompt ??= await this.streamed.estimatePrompt();
    if (this.#ended) return;
    const reported = this.#reader.usage ?? this.#prompt;
    const outputTokens = Math.max(reported.outputTokens, this.#reader.events - FRAMING_EVENTS);
    const { hold, bill } = this.streamed;
    leaveCheckpoint(hold, this.#checkpoints++, bill({ ...reported, outputTokens }), this.kit);
  }
}

/** What the upstream said in its error event, without what is not for the client's eyes. */
function explainFault(fault: JsonObject): string {
  const { message } = readOpenAiComplaint(JSON.stringify(fault));
  return message === undefined ? 'it sent an error' : cleanComplaint(message).replace(/\.$/, '');
}
