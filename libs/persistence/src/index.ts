export * from './account/caller-account.js';
export * from './catalog/catalog-feed.js';
export * from './catalog/find-caller-token.js';
export * from './catalog/follow-changes.js';
export * from './catalog/load-catalog.js';
export * from './console/audit-repository.js';
export * from './console/channel-entities.js';
export * from './console/channel-repository.js';
export * from './console/console-store.js';
export * from './console/constraint.js';
export * from './console/model-entities.js';
export * from './console/model-repository.js';
export * from './console/owner-scope.js';
export * from './console/page.js';
export * from './console/price-import-repository.js';
export * from './console/redemption-repository.js';
export * from './console/request-log-entity.js';
export * from './console/request-log-repository.js';
export * from './console/attempt-repository.js';
export * from './console/session-repository.js';
export * from './console/system-repository.js';
export * from './console/task-entities.js';
export * from './console/task-repository.js';
export * from './console/token-entity.js';
export * from './console/token-repository.js';
export * from './console/user-entity.js';
export * from './console/user-repository.js';
export * from './console/wallet-entities.js';
export * from './console/wallet-repository.js';
export * from './idempotency/idempotent-replies.js';
export * from './is-database-away.js';
export * from './journal/batch-writer.js';
export * from './journal/write-journal.js';
export * from './money/follow-journal.js';
export type { HoldDecision } from './money/hold-decision.js';
export * from './money/post-journal.js';
export { STATEMENT_TIMEOUT_MS } from './schema/create-data-source.js';
export * from './money/wallet-ledger.js';
export * from './migrate-database.js';
export { type DatabaseOptions, openDatabase } from './open-database.js';
export * from './planes/plane-reports.js';
export * from './roles/plane-roles.js';
export type { PlanePasswords } from './roles/set-passwords.js';
export type { StandBy } from './schema/await-schema.js';
export { MIGRATIONS } from './schema/migrations.js';
export * from './secrets/channel-credentials.js';
export * from './secrets/open-channel-secrets.js';
export * from './secrets/seal-secret.js';
export * from './secrets/seal-anew.js';
export * from './tasks/follow-tasks.js';
export * from './tasks/wallet-tasks.js';
export * from './tasks/store-orders.js';
export * from './tasks/task-ledger.js';
export * from './tasks/task-row.js';
export * from './tasks/task-store.js';
export * from './tasks/webhook-deliveries.js';
export type { CallTimes } from './usage/call-times.js';
export type { UsageQuestion } from './usage/usage-facts.js';
export * from './usage/usage-ledger.js';
export * from './usage/usage-series.js';
export {
  MOST_KEYS,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageSum,
  type UsageTotals,
} from './usage/usage-sums.js';
