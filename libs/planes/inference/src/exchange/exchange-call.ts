import type { Exchange } from '@mg/protocols';
import type { CallRecord } from '../call/call-record.js';
import type { BoundHold } from '../call/reserve.js';
import type { BodyLease } from '../http/body-budget.js';
import type { ClientConnection } from '../http/client-connection.js';

/** An exchange as it came in. */
export interface ExchangeRequest {
  readonly exchange: Exchange;
  /** Whether the caller asked that nothing be left out. */
  readonly strict: boolean;
  /** Memory that the call holds until its end. */
  readonly lease: BodyLease;
}

/** An exchange that is admitted, priced and held: what sending and answering it need. */
export interface ExchangeCall extends ExchangeRequest {
  readonly record: CallRecord;
  readonly hold: BoundHold;
  readonly client: ClientConnection;
}
