import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the provider answers, whoever asks. */
export interface HostileAnswer {
  readonly contentType: string;
  readonly body: Buffer;
  /** Whether the answer never ends after its last byte. */
  readonly staysOpen?: boolean;
}

/** A provider on the loopback address that answers every call with the same bytes. */
export interface HostileProvider {
  readonly url: string;
  answerWith(answer: HostileAnswer): void;
  close(): Promise<void>;
}

/** @throws Error when the address cannot be listened on. */
export async function startHostileProvider(): Promise<HostileProvider> {
  let answer: HostileAnswer = { contentType: 'application/json', body: Buffer.from('{}') };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': answer.contentType });
      if (answer.staysOpen) response.write(answer.body);
      else response.end(answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
