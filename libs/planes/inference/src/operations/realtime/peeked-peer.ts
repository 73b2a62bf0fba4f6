import type { Peer, PeerClose, PeerListener } from '@mg/transport';

/** A side of a session of which the first message has been looked at. */
export class PeekedPeer implements Peer {
  readonly #peer: Peer;
  readonly #started = Promise.withResolvers<void>();
  #listener: PeerListener | undefined;
  #close: PeerClose | undefined;
  #hasFirst = false;
  readonly #left = new AbortController();

  private constructor(peer: Peer) {
    this.#peer = peer;
  }

  /**
   * Waits for the first message.
   *
   * @param isTaken whether that is the end of it: the listener gets only what comes after it.
   * @returns how the partner closed before it; `undefined` where nothing came in time.
   */
  static async open(
    peer: Peer,
    waitMs: number,
    isTaken = false,
  ): Promise<{ readonly peer: PeekedPeer; readonly first: Buffer } | PeerClose | undefined> {
    const peeked = new PeekedPeer(peer);
    const opened = Promise.withResolvers<Buffer | PeerClose | undefined>();
    const late = setTimeout(() => opened.resolve(undefined), waitMs);
    peer.listen({
      message: (bytes) => {
        const isFirst = !peeked.#hasFirst;
        peeked.#hasFirst = true;
        if (isFirst) opened.resolve(bytes);
        if (isFirst && isTaken) return undefined;
        return peeked.#listener
          ? peeked.#listener.message(bytes)
          : peeked.#started.promise.then(() => peeked.#listener?.message(bytes));
      },
      closed: (close) => {
        opened.resolve(close);
        peeked.#close = close;
        peeked.#left.abort();
        peeked.#listener?.closed(close);
      },
    });
    const outcome = await opened.promise;
    clearTimeout(late);
    return Buffer.isBuffer(outcome) ? { peer: peeked, first: outcome } : outcome;
  }

  /** Aborts when the partner has closed. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  listen(listener: PeerListener): void {
    this.#listener = listener;
    this.#started.resolve();
    if (this.#close) listener.closed(this.#close);
  }

  send(message: Buffer | string): void | Promise<void> {
    return this.#peer.send(message);
  }

  close(code: number, reason: string): void {
    this.#started.resolve();
    this.#peer.close(code, reason);
  }
}
