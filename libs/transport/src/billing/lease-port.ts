import {
  BILLING_PATTERN,
  type LeaseOpenMessage,
  type LeaseOpenReply,
  type LeasePort,
  type LeaseReturnMessage,
  type LeaseReturnReply,
} from '@mg/contract';
import type { AskBilling } from './task-money.js';

/** Billing's side of leases, as messages. */
export function createLeasePort(ask: AskBilling): LeasePort {
  return {
    async openLeases({ instance, epoch }, requests) {
      const { outcomes } = await ask<LeaseOpenReply>(BILLING_PATTERN.leaseOpen, {
        instance,
        epoch,
        leases: requests.map((request) => ({
          id: request.id,
          wallet_id: request.walletId,
          token_id: request.tokenId,
          wanted: request.wanted.toString(),
          worst: request.worst.toString(),
          ttl_seconds: request.ttlSeconds,
        })),
      } satisfies LeaseOpenMessage);
      return outcomes.map((outcome) =>
        'granted' in outcome ? { granted: BigInt(outcome.granted) } : outcome,
      );
    },
    async returnLeases({ instance, epoch }, leases) {
      const { returned } = await ask<LeaseReturnReply>(BILLING_PATTERN.leaseReturn, {
        instance,
        epoch,
        leases: leases.map((lease) => ({
          id: lease.id,
          wallet_id: lease.walletId,
          token_id: lease.tokenId,
          amount: lease.amount.toString(),
          final: lease.isFinal,
        })),
      } satisfies LeaseReturnMessage);
      return returned;
    },
  };
}
