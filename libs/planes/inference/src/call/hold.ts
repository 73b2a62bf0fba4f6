import type { NanoUsd, PinnedPrice } from '@mg/contract';
import type { LeasedCall } from '../leases/lease-slice.js';

/** Money set aside for a call. */
export interface Hold {
  readonly requestId: string;
  readonly granted: NanoUsd;
  readonly price: PinnedPrice;
  /** Where the money is set aside in a lease, and billing was not asked for this call. */
  readonly leased?: LeasedCall | undefined;
}
