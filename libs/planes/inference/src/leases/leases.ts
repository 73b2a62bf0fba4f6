import type { NanoUsd } from '@mg/contract';
import type { LeasedCall } from './lease-slice.js';

/** Who pays for a call. */
export interface LeasePayer {
  readonly walletId: string;
  readonly tokenId: string;
}

/** Where calls are admitted without asking billing. */
export interface Leases {
  /** Begins a call that costs at most `worst`; `undefined` where it needs a hold of its own. */
  admit(payer: LeasePayer, worst: NanoUsd): LeasedCall | undefined;
}

/** Every call asks billing. */
export const NO_LEASES: Leases = { admit: () => undefined };
