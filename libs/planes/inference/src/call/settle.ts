import { type JournalPayer, NO_USAGE, type Usage } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import type { GatewayContext } from './gateway-context.js';
import type { CallRecord } from './call-record.js';
import type { Hold } from './hold.js';
import type { BilledUsage } from './operation.js';

/** Order of the row that ends a call, after any number of checkpoints. */
const LAST_SEQ = 1_000_000;

/**
 * Charges what a call used, once by the request's id. When it resolves, the usage outlives this process: the last byte of an
 * answer goes out after it.
 */
export function settle(
  call: CallRecord,
  hold: Hold,
  { usage, estimated }: BilledUsage,
  gateway: GatewayContext,
): Promise<void> {
  call.usage = usage;
  call.estimated = estimated;
  call.cost = costOfCall(usage, hold.price.price).total;
  call.isOverHold = call.cost > hold.granted;
  return gateway.journal.charge({
    requestId: hold.requestId,
    seq: LAST_SEQ,
    phase: 'usage',
    usage,
    estimated,
    payer: namePayer(call, hold),
    ...(call.waste.length > 0 ? { waste: call.waste } : {}),
  });
}

function namePayer({ caller }: CallRecord, { price }: Hold): JournalPayer {
  return { walletId: caller.walletId, tokenId: caller.id, priceVersionId: price.versionId };
}

/** Releases the hold of a call that costs nothing, also one that billing may yet open: it then never comes about. */
export function release(hold: Pick<Hold, 'requestId'>, gateway: GatewayContext): void {
  gateway.heldCalls.end(hold.requestId);
  gateway.journal.add({
    requestId: hold.requestId,
    seq: LAST_SEQ,
    phase: 'cancel',
    usage: NO_USAGE,
    estimated: false,
  });
}

/** Releases the hold of a call that costs its caller nothing, and tells of what it may cost us. */
export function releaseUncharged(call: CallRecord, hold: Hold, gateway: GatewayContext): void {
  if (call.waste.length === 0) return release(hold, gateway);
  gateway.heldCalls.end(hold.requestId);
  void gateway.journal.charge({
    requestId: hold.requestId,
    seq: LAST_SEQ,
    phase: 'cancel',
    usage: NO_USAGE,
    estimated: false,
    payer: namePayer(call, hold),
    waste: call.waste,
  });
}

/** Writes a checkpoint of a running stream, so that at most some seconds of it are lost with the process. */
export function leaveCheckpoint(hold: Hold, seq: number, usage: Usage, gateway: GatewayContext): void {
  gateway.journal.add({ requestId: hold.requestId, seq, phase: 'checkpoint', usage, estimated: true });
}
