import { GatewayError } from '@mg/contract';

/** A session over a WebSocket, which outlives the request that opened it. */
export interface OpenSession {
  /** Ends as soon as what is being answered is answered; nothing new is begun. */
  drain(): void;
  /** Ends now. */
  cut(): void;
}

const RETRY_AFTER_SECONDS = 1;

/** The sessions that are open in this process. */
export class OpenSessions {
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
