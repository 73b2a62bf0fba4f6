import { NO_USAGE, type Usage } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import type { Kit } from '../kit.js';
import type { CallRecord } from './call-record.js';
import type { Hold } from './hold.js';

/** Order of the row that ends a call, after any number of checkpoints. */
const LAST_SEQ = 1_000_000;

/** Charges what a call used: off the response path, durable through the journal, once by the request's id. */
export function settle(call: CallRecord, hold: Hold, usage: Usage, estimated: boolean, kit: Kit): void {
  call.usage = usage;
  call.estimated = estimated;
  call.cost = costOfCall(usage, hold.price.price).total;
  kit.journal.add({ requestId: hold.requestId, seq: LAST_SEQ, phase: 'usage', usage, estimated });
}

/** Releases the hold of a call that costs nothing, also one that billing may yet open: it then never comes about. */
export function release(hold: Pick<Hold, 'requestId'>, kit: Kit): void {
  kit.journal.add({
    requestId: hold.requestId,
    seq: LAST_SEQ,
    phase: 'cancel',
    usage: NO_USAGE,
    estimated: false,
  });
}

/** Leaves word of a stream that is still running, so that a killed gateway loses seconds of it and no more. */
export function leaveCheckpoint(hold: Hold, seq: number, usage: Usage, kit: Kit): void {
  kit.journal.add({ requestId: hold.requestId, seq, phase: 'checkpoint', usage, estimated: true });
}
