export { AttemptTally } from './attempt-tally.js';
export { KeyRotation, type NamedKey } from './key-rotation.js';
export {
  type Admission,
  ChannelHealth,
  type FailureKind,
  type HealthChange,
  type Part,
} from './channel-health.js';
export { type Attempt, type Holder, type Plan, planAttempts } from './plan-attempts.js';
export { Hedging } from './hedging.js';
export { ChannelLoad } from './channel-load.js';
export type { Ordering } from './order-channels.js';
export { pauseBeforeRetry, RetryBudget } from './retry-budget.js';
