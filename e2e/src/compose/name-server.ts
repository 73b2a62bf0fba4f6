import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode, type StringAnswer } from 'dns-packet';

/** What Docker's own server says; nginx is told to ask again sooner. */
const TTL_SECONDS = 600;
const NO_SUCH_NAME = 3;

/** Answers which addresses a name has now, or `undefined` when there is no such name. */
export type FindAddresses = (name: string) => readonly string[] | undefined;

/**
 * A DNS server for the names of services, as Docker gives to its containers: every replica that runs, in another order
 * each time.
 */
export class NameServer {
  readonly #socket: Socket;
  #asked = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** @throws Error when somebody else listens at the address. */
  static async listen(host: string, port: number, find: FindAddresses): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.on('message', (message, { address, port: from }) => {
      socket.send(server.#answer(message, find), from, address);
    });
    socket.bind(port, host);
    await once(socket, 'listening');
    return server;
  }

  close(): void {
    this.#socket.close();
  }

  #answer(message: Buffer, find: FindAddresses): Buffer {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    const addresses = find(question?.name ?? '');
    const turn = this.#asked++;
    const answers =
      question?.type === 'A' && addresses
        ? addresses.map((_, index): StringAnswer => {
            const data = addresses[(index + turn) % addresses.length] ?? '';
            return { type: 'A', name: question.name, ttl: TTL_SECONDS, data };
          })
        : [];
    const code = addresses ? 0 : NO_SUCH_NAME;
    return encode({ type: 'response', id: id ?? 0, flags: AUTHORITATIVE_ANSWER | code, questions, answers });
  }
}
