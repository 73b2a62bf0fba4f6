export { ChannelHealth, type FailureKind } from './channel-health.js';
export { type Attempt, type Plan, planAttempts } from './plan-attempts.js';
