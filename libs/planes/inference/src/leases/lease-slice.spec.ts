import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LeasedCall, LeaseSlice } from './lease-slice.js';

const ADMIT_UNTIL_MS = 1_000;

function openSlice(amount: bigint): LeaseSlice {
  return new LeaseSlice({
    id: 'lease',
    walletId: 'w',
    tokenId: 't',
    amount,
    admitUntilMs: ADMIT_UNTIL_MS,
  });
}

/** A step of a slice's life; `of` picks one of the calls so far, which may be over. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('admit' as const), worst: fc.bigInt(0n, 400n), atMs: fc.nat(1_200) }),
  fc.record({ kind: fc.constant('settle' as const), of: fc.nat(), cost: fc.bigInt(0n, 900n) }),
  fc.record({ kind: fc.constant('checkpoint' as const), of: fc.nat() }),
  fc.record({ kind: fc.constant('release' as const), of: fc.nat() }),
  fc.record({ kind: fc.constant('retire' as const) }),
);

/** A call as billing will see it: what its rows take out of the lease, or may take as long as it is in progress. */
interface Claim {
  readonly call: LeasedCall;
  taken: bigint;
}

describe('a slice', () => {
  it('never admits more than it holds, in whatever order calls begin, leave checkpoints and end', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2_000n), fc.array(step, { maxLength: 60 }), (amount, steps) => {
        const slice = openSlice(amount);
        const claims: Claim[] = [];
        let isRetired = false;
        let admittedLate = false;
        for (const one of steps) {
          const claim = 'of' in one ? claims[one.of % Math.max(claims.length, 1)] : undefined;
          if (one.kind === 'admit') {
            const call = slice.admit(one.worst, one.atMs);
            if (call) claims.push({ call, taken: one.worst });
            admittedLate ||= call !== undefined && (isRetired || one.atMs >= ADMIT_UNTIL_MS);
          } else if (one.kind === 'retire') {
            slice.retire();
            isRetired = true;
          } else if (claim && !claim.call.isOver) {
            const { call } = claim;
            if (one.kind === 'checkpoint') call.noteCheckpoint();
            else {
              const cost = one.kind === 'settle' ? one.cost : 0n;
              claim.taken = call.isCheckpointed || cost > call.worst ? call.worst : cost;
              if (one.kind === 'settle') call.settle(cost);
              else call.release();
            }
          } else if (one.kind === 'settle') claim?.call.settle(one.cost);
          else claim?.call.release();
          const claimed = claims.reduce((sum, { taken }) => sum + taken, 0n);
          expect(admittedLate).toBe(false);
          expect(claimed).toBeLessThanOrEqual(amount);
          expect(slice.kept).toBe(claimed);
          expect(slice.left).toBe(amount - claimed);
          expect(slice.calls).toBe(claims.filter(({ call }) => !call.isOver).length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('admits until its time and not at it', () => {
    const slice = openSlice(10n);
    expect(slice.admit(1n, ADMIT_UNTIL_MS - 1)).toBeDefined();
    expect(slice.admit(1n, ADMIT_UNTIL_MS)).toBeUndefined();
  });
});
