import { formatUsd, type GatewayError } from '@mg/contract';
import { findChatProtocol, type StreamOpening } from '@mg/protocols';
import type { ClientConnection } from '../edge/client-connection.js';
import { nameRequest } from '../edge/find-dialect.js';
import type { CallRecord } from './call-record.js';
import type { Operation } from './operation.js';

/** What fails sooner is told by its status, as SDKs expect it. */
const BEGINS_AFTER_MS = 1_000;
/** Some proxies close a connection on which nothing comes for ten seconds. */
const COMMENT_EVERY_MS = 5_000;
const COMMENT = Buffer.from(': keep-alive\n\n');

/**
 * The stream of an answer that comes in one piece, after so long that a proxy may take it for dead. It begins while the answer
 * is made, and says nothing of where: another channel may still be tried.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes
 */
export class EarlyStream {
  #opening: StreamOpening | undefined;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly operation: Pick<Operation, 'openEarly' | 'showCost' | 'dialect'>,
    private readonly record: CallRecord,
    private readonly client: ClientConnection,
  ) {
    this.#timer = setTimeout(() => this.#begin(), BEGINS_AFTER_MS);
  }

  /** Whether bytes have left: what happens from now on is told by an event. */
  get hasBegun(): boolean {
    return this.#opening !== undefined;
  }

  /** Ends it with an answer, which begins with what was sent. */
  end(answer: Buffer): void {
    const { operation, record, client } = this;
    const rest = answer.subarray(Buffer.byteLength(this.#opening?.events ?? ''));
    client.endStream(operation.showCost?.(rest, record.cost) ?? rest, formatUsd(record.cost));
  }

  /** Ends it with an event that says what went wrong. */
  fail(error: GatewayError): void {
    const { operation, record, client } = this;
    record.fail(error);
    record.end('upstream_failed');
    const { renderFailure } = findChatProtocol(operation.dialect);
    client.endStream(
      Buffer.from((this.#opening && renderFailure?.(this.#opening.failed, error, record.requestId)) ?? ''),
    );
  }

  /** Nothing is sent after that but by `end` and `fail`. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    const { operation, record, client } = this;
    this.#opening = operation.openEarly?.();
    if (!this.#opening) return;
    client.openStream({
      ...nameRequest(operation.dialect, record.requestId),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    this.#write(Buffer.from(this.#opening.events));
    this.#timer = setInterval(() => this.#write(COMMENT), COMMENT_EVERY_MS);
  }

  /** So little is written that nobody waits for it to be taken. */
  #write(bytes: Buffer): void {
    this.client.write(bytes, () => undefined);
  }
}
