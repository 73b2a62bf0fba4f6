import { WebSocket } from 'ws';
import type { Peer, PeerClose, PeerListener } from './peer.js';

/** More than this waits for a partner that reads slowly: whoever sends to it is paused. */
const HIGH_WATER_BYTES = 256 * 1024;
/** What a partner that is waited for may take at most until it has read. */
const STALLED_MS = 60_000;
const PING_MS = 20_000;
/** Nothing came for so long, not even an answer to a ping: the partner, or the network, is gone. */
const SILENT_MS = 60_000;
/** For the answer to a goodbye. */
const GOODBYE_MS = 5_000;

/** What a reason may have: a frame of control holds 125 bytes, two of them the code. */
const MAX_REASON_BYTES = 120;

export interface PeerTimes {
  readonly pingMs?: number;
  readonly silentMs?: number;
  readonly stalledMs?: number;
}

/**
 * A partner behind a WebSocket. Reading stops while a message is at work and while whoever it goes to is slow, so that no
 * side fills the memory for the other; a partner that is frozen is cut off.
 */
export class WebSocketPeer implements Peer {
  readonly #socket: WebSocket;
  readonly #times: Required<PeerTimes>;
  readonly #waiting: Buffer[] = [];
  #listener: PeerListener | undefined;
  #isBusy = false;
  /** Whether goodbye was said: what still comes is not read. */
  #isLeaving = false;
  #close: PeerClose | undefined;
  #heardMs = performance.now();
  #failure: string | undefined;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(socket: WebSocket, times: PeerTimes = {}) {
    this.#socket = socket;
    this.#times = { pingMs: PING_MS, silentMs: SILENT_MS, stalledMs: STALLED_MS, ...times };
    socket.on('message', (data) => this.#take(data as Buffer));
    socket.on('pong', () => (this.#heardMs = performance.now()));
    socket.on('ping', () => (this.#heardMs = performance.now()));
    // A message that is too long, no UTF-8 or a frame that is none; the socket closes itself.
    socket.on('error', (error) => (this.#failure = error.message));
    socket.once('close', (code, reason) => this.#end({ code, reason: this.#failure ?? reason.toString() }));
    socket.pause();
    this.#keepAlive = setInterval(() => this.#checkAlive(), this.#times.pingMs);
  }

  listen(listener: PeerListener): void {
    this.#listener = listener;
    this.#pass();
  }

  send(message: Buffer | string): void | Promise<void> {
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount + message.length < HIGH_WATER_BYTES) {
      socket.send(message, { binary: false });
      return;
    }
    return new Promise((resolve) => {
      const stalled = setTimeout(() => {
        this.#failure = `it took no message for ${this.#times.stalledMs} ms`;
        socket.terminate();
      }, this.#times.stalledMs);
      socket.send(message, { binary: false }, () => {
        clearTimeout(stalled);
        resolve();
      });
    });
  }

  close(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket.readyState === WebSocket.CLOSED) return;
    socket.close(
      code,
      Buffer.from(reason)
        .subarray(0, MAX_REASON_BYTES)
        .toString()
        .replace(/\uFFFD$/, ''),
    );
    this.#isLeaving = true;
    this.#waiting.length = 0;
    // The answer has to be read to be known.
    socket.resume();
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  }

  /** A socket that is paused may still have messages in its buffer, which come all the same. */
  #take(message: Buffer): void {
    this.#heardMs = performance.now();
    if (this.#isLeaving) return;
    this.#waiting.push(message);
    this.#pass();
  }

  #pass(): void {
    if (!this.#listener) return;
    while (!this.#isBusy && this.#waiting.length > 0) this.#passNext(this.#listener);
    if (this.#close !== undefined) return this.#passClose();
    if (this.#isBusy && this.#waiting.length > 0 && !this.#isLeaving) this.#socket.pause();
    else this.#socket.resume();
  }

  #passNext(listener: PeerListener): void {
    const message = this.#waiting.shift();
    const taken = message && listener.message(message);
    if (!taken) return;
    this.#isBusy = true;
    void this.#waitFor(taken);
  }

  async #waitFor(taken: Promise<void>): Promise<void> {
    await taken;
    this.#isBusy = false;
    this.#pass();
  }

  #end(close: PeerClose): void {
    clearInterval(this.#keepAlive);
    this.#close = close;
    this.#passClose();
  }

  #passClose(): void {
    const listener = this.#listener;
    if (!listener || !this.#close || this.#isBusy || this.#waiting.length > 0) return;
    this.#listener = undefined;
    listener.closed(this.#close);
  }

  /** While its messages are not read, a partner's silence is not its fault. */
  #checkAlive(): void {
    const socket = this.#socket;
    if (socket.isPaused) this.#heardMs = performance.now();
    if (performance.now() - this.#heardMs > this.#times.silentMs) {
      this.#failure = `nothing came from it for ${this.#times.silentMs} ms`;
      socket.terminate();
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.ping();
    }
  }
}
