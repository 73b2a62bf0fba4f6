import { joinInSlices } from '@mg/contract';
import type { FastifyReply } from 'fastify';
import type { StoredReply } from '@mg/persistence/gateway';
import type { BodyLease } from './body-budget.js';
import { takeOver } from './limit-headers.js';
import { isHeavy, nextTurn } from './loop-turns.js';
import { writeChunk } from './write-chunk.js';

/** A client that reads nothing for this long is disconnected. */
const STALLED_MS = 60_000;
/** Answers longer than this are not kept for those who repeat an Idempotency-Key: room for ten large images. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

const COST = 'x-gateway-cost';

/** Whether a client says that it reads what comes behind an answer: RFC 9110, section 10.1.4. */
function takesTrailers(te: string | readonly string[] | undefined): boolean {
  return typeof te === 'string' && /(^|[\s,])trailers($|[\s,;])/i.test(te);
}

/** The client's side of a call: answers once, as a whole or as a stream, and knows when the client has left. */
export class ClientConnection {
  readonly #reply: FastifyReply;
  /** Whether the call goes on when its client leaves. */
  readonly #runsOn: boolean;
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #maxKeptBytes = MAX_KEPT_BYTES;
  #room: BodyLease | undefined;
  #headers: Record<string, string> = {};
  #copy: ((bytes: Buffer) => void) | undefined;
  #gone: (() => void) | undefined;
  /** Runs while the client is waited for. */
  #stalled: NodeJS.Timeout | undefined;
  #onDrain: () => void = () => undefined;
  #isChunked = false;
  #takesTrailers = false;
  #ended = false;
  #left = false;

  /** @param keep whether the answer is kept to be given again. */
  constructor(reply: FastifyReply, keep: boolean) {
    this.#reply = reply;
    this.#runsOn = keep;
    this.#kept = keep ? [] : undefined;
  }

  /** Whether the client has left before the answer's end. */
  get left(): boolean {
    return this.#left;
  }

  /** The same where nobody has watched it. */
  get isGone(): boolean {
    const { raw } = this.#reply;
    return !this.#runsOn && !this.#ended && raw.destroyed && !raw.writableFinished;
  }

  /**
   * Calls back once if the client leaves before the answer's end. An answer that is kept runs on: whoever repeats
   * its Idempotency-Key will want all of it.
   */
  watch(gone: () => void): void {
    if (this.#runsOn) return;
    if (!this.#gone) this.#reply.raw.once('close', () => this.#leave());
    this.#gone = gone;
  }

  /**
   * Keeps the answer for `takeKept`, where it is no longer than this and there is room for it in the memory of bodies; the client
   * may leave it all the same.
   */
  keepCopy(maxBytes: number, room: BodyLease): void {
    if (this.#kept) return;
    this.#kept = [];
    this.#maxKeptBytes = maxBytes;
    this.#room = room;
  }

  /** Has each piece of the answer seen, in its order. */
  copyTo(copy: (bytes: Buffer) => void): void {
    this.#copy = copy;
  }

  /** Of the answer; empty before it has begun. */
  get contentType(): string {
    return this.#headers['content-type'] ?? '';
  }

  /** Answers with a whole body. */
  send(headers: Record<string, string>, body: Buffer): void {
    const { raw } = this.#reply;
    this.#headers = headers;
    this.#keep(body);
    const all = Object.assign(takeOver(this.#reply), headers);
    all['content-length'] = body.length;
    raw.writeHead(200, all);
    raw.end(body);
    this.#limitStall();
  }

  openStream(headers: Record<string, string>): void {
    this.#headers = headers;
    // RFC 9112, section 7.1: an answer of HTTP/1.1 without a length comes in chunks, one of HTTP/1.0 ends with its connection.
    this.#isChunked =
      headers['content-length'] === undefined && this.#reply.request.raw.httpVersion === '1.1';
    this.#takesTrailers = this.#isChunked && takesTrailers(this.#reply.request.headers.te);
    const set = takeOver(this.#reply);
    const trailer = this.#takesTrailers ? { trailer: COST } : {};
    this.#reply.raw.writeHead(200, { ...set, ...trailer, ...headers });
    this.#reply.raw.flushHeaders();
  }

  /** Writes a piece of the stream. @returns false when the client should be waited for: `onDrain` calls back. */
  write(bytes: Buffer, onDrain: () => void): boolean {
    this.#keep(bytes);
    const { raw } = this.#reply;
    if (raw.destroyed || this.#writeChunk(bytes)) return true;
    this.#onDrain = onDrain;
    // More may be written while the client is waited for: it is waited for once.
    if (this.#stalled) return false;
    this.#stalled = setTimeout(() => raw.destroy(), STALLED_MS);
    (raw.socket ?? raw).once('drain', () => {
      this.#stopWaiting();
      this.#onDrain();
    });
    return false;
  }

  /**
   * Writes the last bytes of the stream, if there are any, and ends it.
   *
   * @param cost of the call in USD, for clients that take trailers: it is known at the end.
   */
  endStream(last: Buffer, cost?: string): void {
    this.#ended = true;
    this.#stopWaiting();
    this.#keep(last);
    const { raw } = this.#reply;
    if (last.length > 0 && !raw.destroyed) {
      // One write with what ends the answer: `end` uncorks.
      raw.socket?.cork();
      this.#writeChunk(last);
    }
    if (this.#takesTrailers && cost !== undefined) raw.addTrailers({ [COST]: cost });
    raw.end();
    this.#limitStall();
  }

  /** Ends a stream so that the client sees that it is not whole. */
  breakOff(): void {
    this.#ended = true;
    this.#stopWaiting();
    this.#reply.raw.destroy();
  }

  /** The answer as it was sent, to be given again; `undefined` when it was not kept or was too long. */
  async takeKept(maxBytes = this.#maxKeptBytes): Promise<StoredReply | undefined> {
    if (!this.#kept || this.#keptBytes > Math.min(maxBytes, this.#maxKeptBytes)) return undefined;
    return { status: 200, headers: this.#headers, body: await this.#joinKept(this.#kept) };
  }

  /** A long answer in one piece, which is nearly always so, is not copied; a short one is, since it lies in a pool beside others. */
  #joinKept(pieces: readonly Buffer[]): Buffer | Promise<Buffer> {
    const [first] = pieces;
    if (!isHeavy(this.#keptBytes)) return Buffer.concat(pieces, this.#keptBytes);
    return first && pieces.length === 1 ? first : joinInSlices(pieces, nextTurn);
  }

  /** Answers that are not in chunks, or wait behind another on their connection, are written by Node. */
  #writeChunk(bytes: Buffer): boolean {
    const { raw } = this.#reply;
    return raw.socket && this.#isChunked ? writeChunk(raw.socket, bytes) : raw.write(bytes);
  }

  #keep(bytes: Buffer): void {
    this.#copy?.(bytes);
    if (!this.#kept) return;
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > this.#maxKeptBytes) return;
    if (this.#room?.tryTake(bytes.length) === false) this.#kept = undefined;
    else this.#kept.push(bytes);
  }

  /** An answer that the system has taken whole, as nearly all are, waits for nobody. */
  #limitStall(): void {
    const { raw } = this.#reply;
    if (!raw.writableFinished) raw.setTimeout(STALLED_MS, () => raw.destroy());
  }

  #stopWaiting(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  }

  #leave(): void {
    this.#stopWaiting();
    if (this.#ended || this.#reply.raw.writableFinished) return;
    this.#left = true;
    this.#gone?.();
  }
}
