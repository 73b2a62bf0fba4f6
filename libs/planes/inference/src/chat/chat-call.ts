import type { ChatEnvelope } from '@mg/protocols';
import type { CallRecord } from '../call/call-record.js';
import type { Hold } from '../call/reserve.js';
import type { ClientConnection } from '../http/client-connection.js';

/** A chat call that is admitted, priced and held: what sending and relaying it need. */
export interface ChatCall {
  readonly record: CallRecord;
  readonly envelope: ChatEnvelope;
  readonly body: Buffer;
  readonly hold: Hold;
  readonly client: ClientConnection;
}
