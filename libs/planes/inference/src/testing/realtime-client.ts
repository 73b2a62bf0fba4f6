import { once } from 'node:events';
import { WebSocket } from 'ws';

/** An event of the Realtime API. */
export interface RealtimeEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface RealtimeClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
}

/** An answer to the handshake that opened no session. */
export interface RefusedHandshake {
  readonly status: number;
  readonly body: {
    readonly detail?: { readonly code: string; readonly param?: string; readonly message: string };
  };
}

/** A client of the Realtime API that writes down what it gets. */
export class RealtimeClient {
  readonly events: RealtimeEvent[] = [];
  /** How the session was closed; `undefined` while it is open. */
  closed: { readonly code: number; readonly reason: string } | undefined;

  private constructor(
    readonly socket: WebSocket,
    /** Headers of the answer to the handshake. */
    readonly headers: Readonly<Record<string, string | string[] | undefined>>,
  ) {
    socket.on('message', (data) => this.events.push(JSON.parse(String(data)) as RealtimeEvent));
    socket.on('error', () => undefined);
    socket.once('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
  }

  /** @param url of `http:`, with its query. */
  static open(
    url: string,
    { headers, protocols = [] }: RealtimeClientOptions,
  ): Promise<RealtimeClient | RefusedHandshake> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], { headers: { ...headers } });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) as RefusedHandshake['body'] }),
        );
      });
      // What comes with the handshake must not be missed.
      socket.once('upgrade', (response) => {
        const client = new RealtimeClient(socket, response.headers);
        socket.once('open', () => resolve(client));
      });
    });
  }

  send(event: object | string): void {
    this.socket.send(typeof event === 'string' ? event : JSON.stringify(event));
  }

  find(type: string): RealtimeEvent | undefined {
    return this.events.find((event) => event.type === type);
  }

  count(type: string): number {
    return this.events.filter((event) => event.type === type).length;
  }

  /** How many messages of the Live API have a member. */
  countOf(member: string): number {
    return this.events.filter((event) => member in event).length;
  }

  /** The `code` of each error event. */
  get errors(): readonly unknown[] {
    return this.events.flatMap(({ type, error }) =>
      type === 'error' ? [(error as { code: unknown }).code] : [],
    );
  }

  async close(): Promise<void> {
    if (this.closed) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}
