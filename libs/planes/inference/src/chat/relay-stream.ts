import { GatewayError, NO_USAGE, type Usage } from '@mg/contract';
import {
  ChatStreamTap,
  EventTooLargeError,
  type JsonObject,
  readOpenAiComplaint,
  renderOpenAiErrorEvent,
} from '@mg/protocols';
import { type BodyReader, type UpstreamCall, UpstreamFailure } from '@mg/transport';
import { cleanComplaint } from '../call/classify-failure.js';
import type { PeekedStream } from '../call/peek-stream.js';
import { leaveCheckpoint } from '../call/settle.js';
import type { Kit } from '../kit.js';
import type { ChatCall } from './chat-call.js';
import { estimatePrompt } from './estimate-usage.js';

/** How a stream ended, and what was read off it. */
export interface StreamEnding {
  readonly kind: 'completed' | 'client_aborted' | 'upstream_failed';
  readonly tap: ChatStreamTap;
}

const CHECKPOINT_EVERY_MS = 2_000;
/** A stream opens and closes with an event that carries no token. */
const FRAMING_EVENTS = 2;

/**
 * Passes a stream on, byte for byte, at the client's pace. When the client leaves, the upstream's connection is
 * closed; when the upstream breaks, the client gets an error event. Ends exactly once, and never tries another
 * channel: bytes have left.
 */
export function relayStream(
  stream: PeekedStream,
  upstream: UpstreamCall,
  chat: ChatCall,
  kit: Kit,
): Promise<StreamEnding> {
  return new Promise((resolve) => {
    const relay = new StreamRelay(stream, upstream, chat, kit, resolve);
    chat.client.watch(() => relay.leave());
    relay.start();
  });
}

class StreamRelay implements BodyReader {
  readonly #tap: ChatStreamTap;
  #checkpoints = 0;
  #checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
  #prompt: Usage | undefined;
  #ended = false;

  constructor(
    private readonly stream: PeekedStream,
    private readonly upstream: UpstreamCall,
    private readonly chat: ChatCall,
    private readonly kit: Kit,
    private readonly resolve: (ending: StreamEnding) => void,
  ) {
    this.#tap = new ChatStreamTap({ withholdUsage: !chat.envelope.includeUsage });
  }

  start(): void {
    const { client, record } = this.chat;
    client.openStream({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-request-id': record.requestId,
    });
    record.ttftMs = record.elapsedMs();
    this.stream.attach(this);
  }

  data(chunk: Buffer): void {
    if (this.#ended) return;
    try {
      this.#forward(this.#tap.push(chunk));
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#break(error.message);
      return;
    }
    if (this.#tap.fault) this.#break(explainFault(this.#tap.fault));
    else if (this.#tap.done) this.#complete();
    else if (performance.now() >= this.#checkpointDueMs) this.#leaveCheckpoint();
  }

  end(): void {
    if (this.#ended) return;
    this.#forward(this.#tap.end());
    if (this.#tap.fault) this.#break(explainFault(this.#tap.fault));
    else if (this.#tap.ended) this.#complete();
    else this.#break('its stream ended early');
  }

  fail(failure: UpstreamFailure): void {
    if (this.#ended) return;
    // What comes after the end of the answer cannot spoil it.
    if (this.#tap.ended) this.#complete();
    else this.#break(failure.message);
  }

  /** The client has left. An answer that is whole by then may still have its usage to come. */
  leave(): void {
    if (this.#ended || this.#tap.ended) return;
    this.kit.metrics.clientAborts.inc();
    this.#finish('client_aborted');
    this.upstream.abort();
  }

  #complete(): void {
    this.chat.client.endStream();
    this.#finish('completed');
  }

  #break(problem: string): void {
    const error = new GatewayError('upstream_error', `The upstream failed in mid-stream: ${problem}.`);
    this.chat.record.errorCode = error.code;
    this.chat.client.endStream(renderOpenAiErrorEvent(error, this.chat.record.requestId));
    this.#finish('upstream_failed');
    this.upstream.abort();
  }

  #forward(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (!this.chat.client.write(bytes, () => this.stream.resume())) this.stream.pause();
  }

  #finish(kind: StreamEnding['kind']): void {
    this.#ended = true;
    this.resolve({ kind, tap: this.#tap });
  }

  #leaveCheckpoint(): void {
    this.#checkpointDueMs = performance.now() + CHECKPOINT_EVERY_MS;
    this.#prompt ??= estimatePrompt(this.chat.envelope.parsed);
    const outputTokens = Math.max(0, this.#tap.events - FRAMING_EVENTS);
    const usage = this.#tap.usage ?? { ...NO_USAGE, inputTokens: this.#prompt.inputTokens, outputTokens };
    leaveCheckpoint(this.chat.hold, this.#checkpoints++, usage, this.kit);
  }
}

/** What the upstream said in its error event, without what is not for the client's eyes. */
function explainFault(fault: JsonObject): string {
  const { message } = readOpenAiComplaint(JSON.stringify(fault));
  return message === undefined ? 'it sent an error' : cleanComplaint(message).replace(/\.$/, '');
}
