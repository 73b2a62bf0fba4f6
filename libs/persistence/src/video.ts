/** Persistence of the video worker. */
export { type LineRequest, readRequest } from './batches/batch-lines.js';
export type { Batch, BatchFault } from './batches/batch-row.js';
export type { UpstreamBatch } from './batches/upstream-batch-row.js';
export { UpstreamBatches, type UpstreamLine, type UpstreamOutcome } from './batches/upstream-batches.js';
export { BatchWork, type ClaimedLine, type EndedLine, type RunnableBatch } from './batches/batch-work.js';
export { reportAttempts } from './attempts/report-attempts.js';
export { followCatalog, type FollowedCatalog } from './catalog/follow-catalog.js';
export { StoredFiles } from './files/stored-files.js';
export { loadChannel } from './catalog/load-channel.js';
export { SystemRepository } from './planes/system-repository.js';
export { openDatabase } from './open-database.js';
export { reportPlane, toCooldownReport } from './planes/plane-reports.js';
export { readRedisSecret } from './planes/read-redis-secret.js';
export { deriveSecretKey, SecretError } from './secrets/seal-secret.js';
export type { ClaimedTask } from './tasks/task-claim.js';
export { DueWork } from './tasks/due-work.js';
export { TaskStore } from './tasks/task-store.js';
export { WebhookDeliveries, type WebhookDelivery } from './tasks/webhook-deliveries.js';
