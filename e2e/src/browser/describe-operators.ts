import { describeDetails } from './describe-details.js';
import { describeLimits } from './describe-limits.js';
import { describeLogOrder } from './describe-log-order.js';
import { describePalette } from './describe-palette.js';
import { describeSessions } from './describe-sessions.js';
import type { Stage } from './stage.js';

/** What operators do every day: find the dear call, set limits, look at one row, end a session. */
export function describeOperators(stage: Stage): void {
  describeLogOrder(stage);
  describeLimits(stage);
  describeDetails(stage);
  describeSessions(stage);
  describePalette(stage);
}
