/** Steps that people count by, of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const;
const MOST_STEPS = 5;
/** Of divisions that come out even. */
const ROUNDING = 1e-9;

/**
 * Round figures for an axis from nothing to at least `largest`: six at most.
 *
 * @param isWhole whether halves of what is counted make no sense.
 */
export function niceTicks(largest: number, isWhole = false): number[] {
  const least = isWhole ? Math.max(largest, MOST_STEPS) : largest;
  if (!(least > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(least / MOST_STEPS));
  const fits = (step: number) =>
    step * power * MOST_STEPS >= least && (!isWhole || Number.isInteger(step * power));
  const step = (STEPS.find(fits) ?? 10) * power;
  const count = Math.ceil(least / step - ROUNDING);
  // Multiplied, not added up: tenths would drift.
  return Array.from({ length: count + 1 }, (_tick, at) => Number((at * step).toPrecision(12)));
}
