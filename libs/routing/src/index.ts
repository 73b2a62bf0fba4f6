export * from './channel-health.js';
export * from './plan-attempts.js';
