/** How long a property is tried, in the words of fast-check. */
export interface Pace {
  readonly numRuns: number;
  readonly seed?: number;
  readonly interruptAfterTimeLimit?: number;
}

/** Unit tests try the same inputs in every run: what is new is looked for by `npm run fuzz`. */
const UNIT_SEED = 20_261;

/**
 * So many runs among the unit tests, from one seed; as many as fit into a time, from a seed, when `npm run fuzz` asks for it by
 * `FUZZ_SEED` and `FUZZ_PROPERTY_MS`.
 */
export function paceOf(numRuns: number): Pace {
  const { FUZZ_SEED: seed, FUZZ_PROPERTY_MS: propertyMs } = process.env;
  if (seed === undefined || propertyMs === undefined) return { numRuns, seed: UNIT_SEED };
  return {
    numRuns: Number.MAX_SAFE_INTEGER,
    seed: Number(seed),
    interruptAfterTimeLimit: Number(propertyMs),
  };
}

/** Whether `npm run fuzz` runs the properties. */
export function isFuzzing(): boolean {
  return process.env.FUZZ_SEED !== undefined;
}
