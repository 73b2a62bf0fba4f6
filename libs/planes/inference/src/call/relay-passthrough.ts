import type { BodyReader } from '@mg/transport';
import type { ClientConnection } from '../edge/client-connection.js';
import type { RelayEnd } from './relay.js';
import type { PassthroughOutcome } from './take-answer.js';

/**
 * Passes an answer on as it comes, unread, at the client's pace. When the client leaves, the upstream's connection is closed;
 * when the upstream breaks off, the client sees its own connection break.
 */
export function relayPassthrough(
  { body, call }: PassthroughOutcome,
  client: ClientConnection,
): Promise<RelayEnd> {
  return new Promise((resolve) => {
    client.watch(() => {
      resolve('client_aborted');
      call.abort();
    });
    const reader: BodyReader = {
      data(chunk) {
        if (!client.write(chunk, () => body.resume())) body.pause();
      },
      end() {
        client.endStream();
        resolve('completed');
      },
      fail() {
        if (!client.left) client.breakOff();
        resolve('upstream_failed');
      },
    };
    body.attach(reader);
  });
}
