/** How a partner's side of a session ended, by the codes of RFC 6455, section 7.4. */
export interface PeerClose {
  readonly code: number;
  /** What is known of it, for the log. */
  readonly reason: string;
}

/** Takes what comes from a partner. */
export interface PeerListener {
  /** One message after another: the next one waits until a promise that this answers has ended. It must not reject. */
  message(bytes: Buffer): void | Promise<void>;
  /** Called once, after the last message. */
  closed(close: PeerClose): void;
}

/** A partner of a session over a WebSocket: a client, an upstream, a model that is simulated in this process. */
export interface Peer {
  /** Begins to read; messages that came before are delivered at once. */
  listen(listener: PeerListener): void;
  /** Sends a message. What is returned is to be waited for before more is sent: the partner reads more slowly than it is written to. */
  send(message: Buffer | string): void | Promise<void>;
  /** Says goodbye; a partner that does not answer is cut off. */
  close(code: number, reason: string): void;
}
