import { type HoldRequest, newId } from '@mg/contract';
import type { Payer } from './seed-payer.js';

/** A payer's question for 0.1 USD, under a new id unless said otherwise. */
export function buildHoldRequest(payer: Payer, changes: Partial<HoldRequest> = {}): HoldRequest {
  return {
    id: newId(),
    walletId: payer.walletId,
    tokenId: payer.tokenId,
    model: payer.model,
    priceVersionId: payer.priceVersionId,
    wanted: 100_000_000n,
    minimum: 100_000_000n,
    ttlSeconds: 60,
    owner: { instance: 'gateway-1', epoch: 'a' },
    ...changes,
  };
}
