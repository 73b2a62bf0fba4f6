import type { IncomingHttpHeaders } from 'node:http';
import type { ChatEnvelope, ChatProtocol, Framing } from '@mg/protocols';
import type { CallRecord } from '../call/call-record.js';
import type { ChatHold } from '../call/reserve.js';
import type { BodyLease } from '../http/body-budget.js';
import type { ClientConnection } from '../http/client-connection.js';

/** A chat request as it came in, in the client's own protocol. */
export interface ChatRequest {
  readonly protocol: ChatProtocol;
  readonly envelope: ChatEnvelope;
  /** How the client wants its stream cut. */
  readonly framing: Framing;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** A chat with the memory that its call holds. */
export interface HeldChat extends ChatRequest {
  readonly lease: BodyLease;
}

/** A chat call that is admitted, priced and held: what sending and relaying it need. */
export interface ChatCall {
  readonly record: CallRecord;
  readonly request: HeldChat;
  readonly hold: ChatHold;
  readonly client: ClientConnection;
}
