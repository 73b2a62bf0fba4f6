import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before a server, whose connections can be cut and restored, as networks do. */
export interface TcpProxy {
  /** The server's address with this proxy's host and port in it. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Passes on what a server sends to a client. */
export type PassAnswers = (server: Socket, client: Socket) => void;

const passUnchanged: PassAnswers = (server, client) => void server.pipe(client);

/**
 * Starts a proxy before the server of an address such as `redis://host:6379`.
 *
 * @param at where the proxy listens; port 0 is any that is free.
 * @param passAnswers for a proxy that loses or changes what the server sends; what clients send is never changed.
 */
export async function createTcpProxy(
  url: string,
  at = { host: '127.0.0.1', port: 0 },
  passAnswers: PassAnswers = passUnchanged,
): Promise<TcpProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((incoming) => {
    if (!open) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    incoming.pipe(outgoing);
    passAnswers(outgoing, incoming);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      open = true;
      server.listen(port, at.host, resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      open = false;
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(at.port);
  const { port } = server.address() as AddressInfo;
  const own = new URL(url);
  own.host = `${at.host}:${port}`;
  return { url: own.href, cut: stop, mend: () => listen(port), close: stop };
}
