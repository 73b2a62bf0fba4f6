import { describeAlerts, describeThreshold } from './describe-alerts.js';
import { describeDetails } from './describe-details.js';
import { describeLimits } from './describe-limits.js';
import { describeLogOrder } from './describe-log-order.js';
import { describePalette } from './describe-palette.js';
import { describePickers } from './describe-pickers.js';
import { describeProjects } from './describe-projects.js';
import { describeSecondFactor } from './describe-second-factor.js';
import { describeSessions } from './describe-sessions.js';
import { describeTraffic } from './describe-traffic.js';
import type { Stage } from './stage.js';

/** What operators do every day: find the dear call, set limits, look at one row, end a session. */
export function describeOperators(stage: Stage): void {
  describeThreshold(stage);
  describeLogOrder(stage);
  describeLimits(stage);
  describeTraffic(stage);
  describeAlerts(stage);
  describeDetails(stage);
  describeSessions(stage);
  describeSecondFactor(stage);
  describeProjects(stage);
  describePickers(stage);
  describePalette(stage);
}
