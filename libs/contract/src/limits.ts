import { z } from 'zod';

/** Most requests of a window, or calls at once: what a column of the database would hold. */
const MAX_COUNT = 2_147_483_647;
const MAX_TOKENS = 1_000_000_000_000;

/** Rates and concurrency of a token, user, wallet, model or channel; what is absent is not limited. */
export interface Limits {
  /** Requests in any 60 seconds. */
  readonly rpm?: number | undefined;
  /** Requests in any 24 hours. */
  readonly rpd?: number | undefined;
  /** Tokens in any 60 seconds, input and output together. */
  readonly tpm?: number | undefined;
  /** Calls at the same time. */
  readonly concurrency?: number | undefined;
}

const countSchema = z.int().min(1).max(MAX_COUNT);

export const limitsSchema = z.strictObject({
  rpm: countSchema.optional().describe('Requests in any 60 seconds.'),
  rpd: countSchema.optional().describe('Requests in any 24 hours.'),
  tpm: z.int().min(1).max(MAX_TOKENS).optional().describe('Tokens in any 60 seconds, input and output.'),
  concurrency: countSchema.optional().describe('Calls at the same time.'),
});

/** Whose limits they are. */
export type LimitScope = 'token' | 'user' | 'wallet' | 'model' | 'channel';

/** Limits together with whose they are. */
export interface ScopedLimits {
  readonly scope: LimitScope;
  /** An id, of a model its slug. */
  readonly id: string;
  readonly limits: Limits;
  /** Counts what this process has begun to read: of two of one owner, the one with the greater number is the newer. */
  readonly sequence: number;
}

let lastSequence = 0;

/** The number of a read that begins now: a later one, which may end earlier, has a greater one. */
export function nextSequence(): number {
  return ++lastSequence;
}

/**
 * The limits of one row; `undefined` where it has none, so that nothing is looked at for its calls.
 *
 * @param sequence of the read, taken by `nextSequence` before the query.
 */
export function scopeLimits(
  scope: LimitScope,
  id: string,
  limits: Limits,
  sequence: number,
): ScopedLimits | undefined {
  const { rpm, rpd, tpm, concurrency } = limits;
  const isLimited = [rpm, rpd, tpm, concurrency].some((limit) => limit !== undefined);
  return isLimited ? { scope, id, limits, sequence } : undefined;
}
