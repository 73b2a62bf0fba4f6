import type { BodyReader } from '@mg/transport';
import type { ClientConnection } from '../edge/client-connection.js';
import { classifyFailure } from './classify-failure.js';
import { ClientPace } from './client-pace.js';
import type { RelayedAnswer } from './relay.js';
import type { PassthroughOutcome } from './take-answer.js';

const NOTHING = Buffer.alloc(0);

/**
 * Passes an answer on as it comes, unread, at the client's pace, all but its last byte: one byte is held back all along, which
 * delays nothing. When the client leaves, the upstream's connection is closed; when the upstream breaks off, the client sees
 * its own connection break.
 */
export function relayPassthrough(
  { body, call }: PassthroughOutcome,
  client: ClientConnection,
): Promise<RelayedAnswer> {
  let last = NOTHING;
  const pace = new ClientPace();
  const onDrain = () => {
    pace.noteDrained();
    body.resume();
  };
  return new Promise((resolve) => {
    client.watch(() => {
      resolve({ kind: 'client_aborted', last: NOTHING });
      call.abort();
    });
    const reader: BodyReader = {
      data(chunk) {
        const bytes = Buffer.concat([last, chunk]);
        last = bytes.subarray(-1);
        const isTaken = bytes.length < 2 || client.write(bytes.subarray(0, -1), onDrain);
        if (isTaken) return;
        pace.noteFull();
        body.pause();
      },
      end() {
        resolve({ kind: 'completed', last });
      },
      fail(failure) {
        if (!client.left) client.breakOff();
        resolve({ kind: 'upstream_failed', fault: pace.judge(classifyFailure(failure)), last: NOTHING });
      },
    };
    body.attach(reader);
  });
}
