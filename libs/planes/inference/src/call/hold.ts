import type { NanoUsd, PinnedPrice } from '@mg/contract';

/** Money set aside for a call. */
export interface Hold {
  readonly requestId: string;
  readonly granted: NanoUsd;
  readonly price: PinnedPrice;
}
