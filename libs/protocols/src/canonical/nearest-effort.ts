import type { ReasoningEffort } from './request.js';

const EFFORTS: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

export function isEffort(value: unknown): value is ReasoningEffort {
  return EFFORTS.includes(value as ReasoningEffort);
}

/**
 * The effort among those a model knows that is nearest to the one wanted; the lower one of two equally near. Who wants
 * to think is not asked to stop, unless the model knows no other effort.
 */
export function nearestEffort(
  wanted: ReasoningEffort,
  known: readonly ReasoningEffort[],
): ReasoningEffort | undefined {
  const at = EFFORTS.indexOf(wanted);
  let best: ReasoningEffort | undefined;
  for (const effort of EFFORTS) {
    if (!known.includes(effort)) continue;
    if (best === 'none' && at >= EFFORTS.indexOf('low')) best = undefined;
    if (best === undefined || Math.abs(EFFORTS.indexOf(effort) - at) < Math.abs(EFFORTS.indexOf(best) - at)) {
      best = effort;
    }
  }
  return best;
}
