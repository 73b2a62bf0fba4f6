import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { omitUndefined } from '@mg/contract';
import { buildConnector, errors } from 'undici';

/** Connections that are opened at once to one origin; more wait for their turn. */
const MAX_CONNECTING = 128;

export interface ConnectorOptions {
  /** How long a connection may take, and how long it may wait for its turn before that. */
  readonly connectMs: number;
  readonly maxConnecting?: number | undefined;
  /** In place of the system's resolver. */
  readonly lookup?: LookupFunction | undefined;
  /** PEM of a certificate that is trusted, in place of those that Node trusts. */
  readonly ca?: string | undefined;
}

interface Waiting {
  readonly begin: () => void;
  readonly late: NodeJS.Timeout;
}

/**
 * Opens the connections to one origin: a few at once, so that a cold start under load neither floods the upstream nor holds the event
 * loop with handshakes; the name is resolved for each, and TLS goes on with the session of an earlier connection.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #waiting = new Set<Waiting>();
  #connecting = 0;
  /** Opens with the last session. Made anew for each connection, its caches would stay in memory with it. */
  #open: buildConnector.connector | undefined;
  #session: Buffer | undefined;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /** As undici wants it. */
  readonly connect: buildConnector.connector = (target, done) => {
    const begin = () => this.#begin(target, done);
    if (this.#connecting < (this.#options.maxConnecting ?? MAX_CONNECTING)) return begin();
    const { connectMs } = this.#options;
    const late = setTimeout(() => {
      this.#waiting.delete(waiting);
      done(new errors.ConnectTimeoutError(`no turn to connect within ${connectMs} ms`), null);
    }, connectMs);
    const waiting = { begin, late };
    this.#waiting.add(waiting);
  };

  #begin(target: buildConnector.Options, done: buildConnector.Callback): void {
    this.#connecting += 1;
    this.#open ??= this.#build();
    this.#open(target, (...result) => {
      this.#end();
      const [, socket] = result;
      if (socket instanceof TLSSocket) this.#keepSessionOf(socket);
      done(...result);
    });
  }

  #build(): buildConnector.connector {
    const { connectMs: timeout, lookup, ca } = this.#options;
    return buildConnector(
      omitUndefined({
        timeout,
        allowH2: false,
        // Its own sessions may be collected as garbage at any time.
        maxCachedSessions: 0,
        lookup,
        ca,
        session: this.#session,
      }),
    );
  }

  #end(): void {
    this.#connecting -= 1;
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    clearTimeout(next.late);
    next.begin();
  }

  #keepSessionOf(socket: TLSSocket): void {
    // TLS 1.3 sends sessions after the handshake; before that, it is there with its end.
    if (socket.getProtocol() !== 'TLSv1.3') this.#keepSession(socket.getSession());
    socket.on('session', (session) => this.#keepSession(session));
  }

  #keepSession(session: Buffer | undefined): void {
    this.#session = session;
    this.#open = undefined;
  }
}
