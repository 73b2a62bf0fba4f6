import type { Peer, PeerClose, PeerListener } from './peer.js';

/** The side of a session that a simulated model has. */
export interface LocalSide {
  receive(message: string): void;
  close(): void;
}

/** Makes a session with a simulated model look like one with any other upstream. */
export class LocalPeer implements Peer {
  readonly #side: LocalSide;
  readonly #waiting: Buffer[] = [];
  #listener: PeerListener | undefined;
  #isBusy = false;
  #close: PeerClose | undefined;

  constructor(begin: (emit: (message: string) => void) => LocalSide) {
    this.#side = begin((message) => {
      this.#waiting.push(Buffer.from(message));
      this.#pass();
    });
  }

  listen(listener: PeerListener): void {
    this.#listener = listener;
    this.#pass();
  }

  send(message: Buffer | string): void {
    if (!this.#close) this.#side.receive(message.toString());
  }

  close(code: number, reason: string): void {
    if (this.#close) return;
    this.#side.close();
    this.#close = { code, reason };
    this.#pass();
  }

  /** One message in each turn of the event loop at most: the model answers within the call that asks it. */
  #pass(): void {
    if (!this.#listener || this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => void this.#passNext());
  }

  async #passNext(): Promise<void> {
    const message = this.#waiting.shift();
    if (message !== undefined) await this.#listener?.message(message);
    this.#isBusy = false;
    if (this.#waiting.length > 0) return this.#pass();
    if (!this.#close) return;
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.closed(this.#close);
  }
}
