/** Persistence of the gateway. */
export { type Balance, CallerAccount } from './account/caller-account.js';
export type { Batch, BatchApi } from './batches/batch-row.js';
export { WalletBatches } from './batches/wallet-batches.js';
export { type CapturedBody, sealBody, writeCapturedBodies } from './capture/captured-bodies.js';
export { type CachedContent, CachedContents } from './cached-contents/cached-contents.js';
export { findCallerToken, findToken } from './catalog/find-caller-token.js';
export { followCatalog, type FollowedCatalog } from './catalog/follow-catalog.js';
export { followChanges } from './catalog/follow-changes.js';
export { loadCatalog } from './catalog/load-catalog.js';
export { loadChannel } from './catalog/load-channel.js';
export { loadModel } from './catalog/load-model.js';
export { DiscardedObjects } from './files/discarded-objects.js';
export { type FileFacts, StoredFiles } from './files/stored-files.js';
export { StoredUploads, type UploadFacts, type UploadPart } from './files/stored-uploads.js';
export { UploadLinks } from './files/upload-links.js';
export {
  type IdempotentCall,
  nameReply,
  IdempotentReplies,
  type StoredReply,
} from './idempotency/idempotent-replies.js';
export type { NewItem, StoredItem } from './conversations/insert-items.js';
export {
  type NoConversation,
  type StoredConversation,
  StoredConversations,
} from './conversations/stored-conversations.js';
export { BatchWriter } from './journal/batch-writer.js';
export { replayUsage } from './journal/replay-usage.js';
export { UsageJournal } from './journal/usage-journal.js';
export { setAside, type SpoolLevel, UsageSpool } from './journal/usage-spool.js';
export { writeJournal, writeRequestLog } from './journal/write-journal.js';
export { ProbeClaimStore } from './attempts/probe-claims.js';
export { reportAttempts } from './attempts/report-attempts.js';
export { expireAttempts, writeAttempts } from './attempts/write-attempts.js';
export { announceHealth } from './notifications/announce-health.js';
export { openDatabase } from './open-database.js';
export { listLiving, type PlaneFacts, reportPlane, toCooldownReport } from './planes/plane-reports.js';
export { readRedisSecret } from './planes/read-redis-secret.js';
export { Compactions } from './responses/compactions.js';
export {
  type Conversation,
  type NewResponse,
  type ResponseHolder,
  StoredResponses,
  type StoredTurn,
} from './responses/stored-responses.js';
export { deriveSecretKey, type SecretKey } from './secrets/seal-secret.js';
export { followTasks } from './tasks/follow-tasks.js';
export { storeOrders } from './tasks/store-orders.js';
export { WalletTasks } from './tasks/wallet-tasks.js';
export { toDatabaseError } from './to-database-error.js';
export type { UsageSum } from './usage/usage-sums.js';
