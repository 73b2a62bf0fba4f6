import type { LimitScope } from '@mg/contract';
import type { Taken } from './meter.js';

/** What a call was given of its limits, until it ends. */
export class Permit {
  constructor(private readonly parts: readonly Taken[]) {}

  /** The part of one limit's owner, which may end before the rest does. */
  partOf(scope: LimitScope): Permit {
    return new Permit(this.parts.filter(({ meter }) => meter.scope === scope));
  }

  /** Ends the call, once. @param tokens that it used in the end. */
  end(tokens: number): void {
    for (const taken of this.parts) {
      if (taken.meter.measure === 'tpm') taken.end(tokens);
      else taken.end();
    }
  }

  /** As if it had never been taken: neither tokens nor a request count. */
  giveBack(): void {
    for (const taken of this.parts) taken.end(0);
  }
}

export const NO_PERMIT = new Permit([]);
