import { type HoldOwner, type LeaseRequest, type LeaseReturn, MAX_LEASES_PER_MESSAGE } from '@mg/contract';
import { z } from 'zod';
import { id, longestHold, positive, text } from './messages.js';

const owner = { instance: text, epoch: text };

export const leaseOpenSchema = z
  .strictObject({
    ...owner,
    leases: z
      .array(
        z.strictObject({
          id,
          wallet_id: id,
          token_id: id,
          wanted: positive,
          worst: positive,
          ttl_seconds: longestHold,
        }),
      )
      .min(1)
      .max(MAX_LEASES_PER_MESSAGE),
  })
  .transform(({ instance, epoch, leases }): { owner: HoldOwner; leases: LeaseRequest[] } => ({
    owner: { instance, epoch },
    leases: leases.map((lease) => ({
      id: lease.id,
      walletId: lease.wallet_id,
      tokenId: lease.token_id,
      wanted: lease.wanted,
      worst: lease.worst,
      ttlSeconds: lease.ttl_seconds,
    })),
  }));

export const leaseReturnSchema = z
  .strictObject({
    ...owner,
    leases: z
      .array(z.strictObject({ id, wallet_id: id, token_id: id, amount: positive, final: z.boolean() }))
      .min(1)
      .max(MAX_LEASES_PER_MESSAGE),
  })
  .transform(({ instance, epoch, leases }): { owner: HoldOwner; leases: LeaseReturn[] } => ({
    owner: { instance, epoch },
    leases: leases.map((lease) => ({
      id: lease.id,
      walletId: lease.wallet_id,
      tokenId: lease.token_id,
      amount: lease.amount,
      isFinal: lease.final,
    })),
  }));
