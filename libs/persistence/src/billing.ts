/** Persistence of billing. */
export { BudgetLedger, type ReachedBudget } from './money/budget-ledger.js';
export { SystemRepository } from './planes/system-repository.js';
export { followJournal } from './money/follow-journal.js';
export { type LedgerCheckResult, LedgerCheck } from './money/ledger-check.js';
export type { HoldDecision } from './money/hold-decision.js';
export { LeaseLedger } from './money/lease-ledger.js';
export { JournalLedger, type PostedBatch, type PostOutcome } from './money/post-journal.js';
export { type OpenHoldTotals, type SettledHold, WalletLedger } from './money/wallet-ledger.js';
export { ProcessLedger } from './money/process-ledger.js';
export { type BookedWaste, WasteLedger } from './money/waste-ledger.js';
export { openDatabase } from './open-database.js';
export { reportPlane } from './planes/plane-reports.js';
export { readRedisSecret } from './planes/read-redis-secret.js';
export {
  EXPIRING_ROWS,
  type ExpiringRows,
  FIRST_BATCH,
  PARTITIONED_ROWS,
  type PartitionedRows,
  Retention,
} from './retention/retention.js';
export { STATEMENT_TIMEOUT_MS } from './schema/create-data-source.js';
export { rehearseTasks } from './tasks/rehearse-tasks.js';
export { TaskLedger } from './tasks/task-ledger.js';
export { UsageRollups } from './usage/usage-rollups.js';
