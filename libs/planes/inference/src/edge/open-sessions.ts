import { GatewayError } from '@mg/contract';

/** A session over a WebSocket, which outlives the request that opened it. */
export interface OpenSession {
  /** Ends as soon as what is being answered is answered; nothing new is begun. */
  drain(): void;
  /** Ends now. */
  cut(): void;
}

/** How long a session may last, and how long nobody may say anything in it. */
export interface SessionTimes {
  readonly longestMs: number;
  readonly idleMs: number;
  /** For what the upstream says that cancelled responses used, once the client has left. */
  readonly lastUsageMs: number;
}

/** As long as OpenAI lets a session last. */
export const SESSION_TIMES: SessionTimes = {
  longestMs: 60 * 60_000,
  idleMs: 15 * 60_000,
  lastUsageMs: 2_000,
};

const RETRY_AFTER_SECONDS = 1;

/** The sessions that are open in this process. */
export class OpenSessions {
  constructor(readonly times: SessionTimes = SESSION_TIMES) {}

  readonly #open = new Set<OpenSession>();
  #isDraining = false;

  get size(): number {
    return this.#open.size;
  }

  /** @throws GatewayError `service_unavailable` while the process stops: another one takes the session. */
  refuseWhileDraining(): void {
    if (!this.#isDraining) return;
    throw new GatewayError('service_unavailable', 'This gateway is being stopped; try again.', {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }

  begin(session: OpenSession): void {
    this.#open.add(session);
    if (this.#isDraining) session.drain();
  }

  end(session: OpenSession): void {
    this.#open.delete(session);
  }

  /** The process stops: what is being answered may be answered for so long. */
  drain(graceMs: number): void {
    this.#isDraining = true;
    for (const session of this.#open) session.drain();
    setTimeout(() => {
      for (const session of this.#open) session.cut();
    }, graceMs).unref();
  }
}
