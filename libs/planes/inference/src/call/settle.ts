import {
  BATCH_TIER,
  type JournalRow,
  NO_USAGE,
  omitUndefined,
  RENEWED_HOLD_SECONDS,
  type Usage,
} from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import type { GatewayContext } from './gateway-context.js';
import type { CallRecord } from './call-record.js';
import type { Hold } from './hold.js';
import type { BilledUsage } from './operation.js';

/** Order of the row that ends a call, after any number of checkpoints. */
const LAST_SEQ = 1_000_000;

/**
 * Charges what a call used, once by the request's id. Once it has returned, and what it returned has resolved, the usage outlives
 * this process: the last byte of an answer goes out after it.
 *
 * @returns `undefined` where nothing is to be waited for.
 */
export function settle(
  call: CallRecord,
  hold: Hold,
  { usage: measured, estimated }: BilledUsage,
  gateway: GatewayContext,
): Promise<void> | undefined {
  call.trace?.stage('settle');
  const usage = call.isBatched ? inBatch(measured) : measured;
  call.usage = usage;
  call.estimated = estimated;
  call.cost = costOfCall(usage, hold.price.price).total;
  call.isOverHold = call.cost > hold.granted;
  const kept = gateway.journal.charge({
    requestId: hold.requestId,
    seq: LAST_SEQ,
    phase: 'usage',
    usage,
    estimated,
    ...namePayer(call, hold),
    ...omitUndefined({ waste: call.waste.length > 0 ? call.waste : undefined }),
  });
  hold.leased?.settle(call.cost);
  return kept;
}

/** A line of a batch is served by the tier `batch`, unless its upstream says that it served, and charges, another one. */
function inBatch(usage: Usage): Usage {
  return usage.tier === undefined ? { ...usage, tier: BATCH_TIER } : usage;
}

/** Who pays, for rows that may be all that billing ever learns of a call. */
function namePayer({ caller }: CallRecord, { price, leased }: Hold): Pick<JournalRow, 'payer' | 'lease'> {
  return omitUndefined({
    payer: { walletId: caller.walletId, tokenId: caller.id, priceVersionId: price.versionId },
    lease: leased?.lease,
  });
}

/**
 * Releases what is set aside for a call that costs its caller nothing, and reports what it may cost us. Billing knows of a
 * leased call only if it left a checkpoint.
 */
export function release(call: CallRecord, hold: Hold, gateway: GatewayContext): void {
  const { leased, requestId } = hold;
  if (leased?.isOver) return;
  if (call.waste.length > 0) {
    gateway.heldCalls.end(requestId);
    void gateway.journal.charge({ ...cancelOf(requestId), ...namePayer(call, hold), waste: call.waste });
  } else if (!leased) {
    releaseHold(requestId, gateway);
  } else if (leased.isCheckpointed) {
    releaseHold(requestId, gateway, namePayer(call, hold));
  }
  leased?.release();
}

/** Releases a hold of billing's, also one that billing may yet open: it then never comes about. */
export function releaseHold(
  requestId: string,
  gateway: GatewayContext,
  payer: Pick<JournalRow, 'payer' | 'lease'> = {},
): void {
  gateway.heldCalls.end(requestId);
  gateway.journal.add({ ...cancelOf(requestId), ...payer });
}

/** Releases a hold that nobody else would release for a day. When it resolves, that outlives this process. */
export async function releaseForGood(requestId: string, gateway: GatewayContext): Promise<void> {
  gateway.heldCalls.end(requestId);
  await gateway.journal.charge(cancelOf(requestId));
}

function cancelOf(requestId: string): JournalRow {
  return { requestId, seq: LAST_SEQ, phase: 'cancel', usage: NO_USAGE, estimated: false };
}

/**
 * Writes a checkpoint of a running stream, so that at most some seconds of it are lost with the process. From its first one on
 * a leased call has a hold of its own, which is to stand as long as the call lasts.
 */
export function leaveCheckpoint(
  call: CallRecord,
  hold: Hold,
  checkpoint: { readonly seq: number; readonly usage: Usage },
  gateway: GatewayContext,
): void {
  const { leased, requestId } = hold;
  const row: JournalRow = { requestId, ...checkpoint, phase: 'checkpoint', estimated: true };
  if (!leased) return gateway.journal.add(row);
  if (leased.isOver) return;
  if (!leased.isCheckpointed) gateway.heldCalls.begin(requestId, leased.admittedMs, RENEWED_HOLD_SECONDS);
  leased.noteCheckpoint();
  gateway.journal.add({ ...row, ...namePayer(call, hold) });
}
