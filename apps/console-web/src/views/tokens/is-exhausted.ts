import type { Token } from '../../api/console-api.js';
import { parseUsd } from '../../money/usd.js';

/** Whether a key has spent all that it may: its calls are refused. */
export function isExhausted({
  used,
  spending_quota: quota,
}: Pick<Token, 'used' | 'spending_quota'>): boolean {
  return quota !== null && parseUsd(used) >= parseUsd(quota);
}
