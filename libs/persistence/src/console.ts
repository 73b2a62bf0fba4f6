/** Persistence of the console. */
export type { RecentAttempts } from './attempts/attempt-figures-repository.js';
export type { AlertCondition, FoundConditions } from './alerts/find-conditions.js';
export type {
  AlertDelivery,
  AlertEvent,
  AlertSettings,
  AlertVia,
  DeliveryState,
} from './console/alert-repository.js';
export type { AttemptWindow } from './console/attempt-repository.js';
export { type CapturedBody, openBody } from './capture/captured-bodies.js';
export type { BudgetRow } from './console/budget-repository.js';
export type { CapturedCallRow } from './console/capture-repository.js';
export { CHANNEL_SORTS, type ChannelChange, type KnownCredential } from './console/channel-repository.js';
export { ConsoleStore } from './console/console-store.js';
export { isForeignKeyViolation, isUniqueViolation } from './console/constraint.js';
export type { EntryFilter } from './console/entry-repository.js';
export type { InvitationRow, OpenInvitation } from './console/invitation-repository.js';
export { MODEL_SORTS, type ModelChange } from './console/model-repository.js';
export {
  EVERYONE,
  type Membership,
  onlyUser,
  type OwnerScope,
  PROJECT_ROLES,
  type ProjectRole,
} from './console/owner-scope.js';
export type { Page, PageRequest } from './console/page.js';
export type { ClaimedMembership, ProjectGroup } from './console/project-group-repository.js';
export {
  MEMBER_ORIGINS,
  type ProjectMember,
  type ProjectRow,
  type SeenProject,
} from './console/project-repository.js';
export type { RedemptionBatch } from './console/redemption-repository.js';
export {
  ERROR_CLASSES,
  LOG_ORDERS,
  type LogFilter,
  type LogOrder,
  type SettledCall,
} from './console/request-log-repository.js';
export type { ListedSession, LockedSession } from './console/session-repository.js';
export type { Backlog, OpenHolds, SeenPlane } from './planes/system-repository.js';
export { readCursor, SORT_DIRECTIONS, type SortColumns, type SortDirection } from './console/sorted-page.js';
export type { SsoChecks, SsoIdentity, SsoLogin, SsoTicket } from './console/sso-repository.js';
export { TASK_SORTS, type TaskEventRow } from './console/task-repository.js';
export { TOKEN_SORTS, type TokenChange } from './console/token-repository.js';
export type { TotpState } from './console/totp-repository.js';
export { type NewUser, USER_SORTS } from './console/user-repository.js';
export { WALLET_SORTS, type WalletSettings, type WalletTotals } from './console/wallet-repository.js';
export type { WasteTotals } from './console/waste-repository.js';
export {
  ALERT_KINDS,
  ALERT_LEVELS,
  type AlertFacts,
  type AlertKind,
  type AlertRow,
} from './entities/alert.js';
export type { AuditRow } from './entities/audit-log.js';
export type { ChannelRow, StoredTimeouts } from './entities/channel.js';
export type { EntryKind, EntryRow } from './entities/entry.js';
export type { ModelRow, PriceVersionRow } from './entities/model.js';
export type { PriceImportLine, PriceImportRow } from './entities/price-import.js';
export type { RedemptionCodeRow } from './entities/redemption.js';
export type { LoggedCallRow } from './entities/request-log.js';
export { TOKEN_DISABLERS, type TokenDisabler, type TokenRow } from './entities/token.js';
export { USER_ROLES, type UserRole, type UserRow } from './entities/user.js';
export type { WalletRow } from './entities/wallet.js';
export { openDatabase } from './open-database.js';
export { reportPlane } from './planes/plane-reports.js';
export { readRedisSecret } from './planes/read-redis-secret.js';
export {
  API_KEYS,
  findKeyId,
  findSettingName,
  holdsCredential,
  listKeyRefs,
  MAIN_KEY,
  removeCredential,
  sealCredential,
  type SealedCredential,
  toKeyPart,
  toSettingPart,
} from './secrets/channel-credentials.js';
export { type AlertAddress, openAlertAddress, sealAlertAddress } from './secrets/alert-addresses.js';
export { openTotpSecret, sealTotpSecret } from './secrets/totp-secrets.js';
export { deriveSecretKey, isFingerprintOf, type SecretKey } from './secrets/seal-secret.js';
export type { TaskSummary } from './tasks/task-row.js';
export { toDatabaseError } from './to-database-error.js';
export type { AttemptCounts, ChannelAttempts } from './usage/channel-attempts.js';
export { USAGE_BUCKETS, type UsageBucket } from './usage/usage-series.js';
export { MOST_KEYS, USAGE_GROUPS, type UsageTotals } from './usage/usage-sums.js';
