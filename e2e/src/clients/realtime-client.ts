import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { makeCertificate } from '@mg/testkit';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';

/** TLS before a gateway, as a proxy has it: OpenAI's SDKs open sessions by no other way. */
export interface TlsDoor {
  /** Address with the version path, as the SDK wants it. */
  readonly baseUrl: string;
  readonly ca: string;
  close(): void;
}

export async function openTlsDoor(gatewayUrl: string): Promise<TlsDoor> {
  const certificate = makeCertificate('localhost');
  const { hostname, port } = new URL(gatewayUrl);
  const server = createServer(certificate, (socket) => {
    const inner = connect(Number(port), hostname);
    socket.pipe(inner).pipe(socket);
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { baseUrl: `https://localhost:${own}/v1`, ca: certificate.cert, close: () => server.close() };
}

interface RealtimeEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A session of the official SDK, which writes down what it gets. */
export class SdkSession {
  readonly events: RealtimeEvent[] = [];
  readonly errors: string[] = [];
  closed: number | undefined;
  readonly #session: OpenAIRealtimeWS;

  /** @param model `undefined` for a session that only transcribes. */
  constructor(door: TlsDoor, model: string | undefined, apiKey: string) {
    const client = new OpenAI({ baseURL: door.baseUrl, apiKey });
    const wish = model === undefined ? { intent: 'transcription' as const } : { model };
    this.#session = new OpenAIRealtimeWS({ ...wish, options: { ca: door.ca } }, client);
    this.#session.on('event', (event) => this.events.push(event as unknown as RealtimeEvent));
    this.#session.on('error', (error) => this.errors.push(error.message));
    this.#session.socket.on('close', (code: number) => (this.closed = code));
  }

  send(event: Parameters<OpenAIRealtimeWS['send']>[0]): void {
    this.#session.send(event);
  }

  count(type: string): number {
    return this.events.filter((event) => event.type === type).length;
  }

  close(): void {
    this.#session.close();
  }
}
