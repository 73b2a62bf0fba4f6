import { InitialTables0001 } from '../migrations/0001-initial-tables.js';
import { MoneyFunctions0002 } from '../migrations/0002-money-functions.js';
import { VideoTasks0003 } from '../migrations/0003-video-tasks.js';
import { Console0004 } from '../migrations/0004-console.js';
import { PlaneRoles0005 } from '../migrations/0005-plane-roles.js';
import { UsageCells0006 } from '../migrations/0006-usage-cells.js';
import { ModelLimits0007 } from '../migrations/0007-model-limits.js';
import { WalletTenants0008 } from '../migrations/0008-wallet-tenants.js';
import { MoneyGuards0009 } from '../migrations/0009-money-guards.js';
import { TaskHops0010 } from '../migrations/0010-task-hops.js';
import { HoldRenewal0011 } from '../migrations/0011-hold-renewal.js';
import { LedgerCheck0012 } from '../migrations/0012-ledger-check.js';
import { Retention0013 } from '../migrations/0013-retention.js';
import { UsagePayers0014 } from '../migrations/0014-usage-payers.js';
import { PreparePartitions0015 } from '../migrations/0015-partitions.js';
import { ValidatePartitions0016 } from '../migrations/0016-validate-partitions.js';
import { PartitionedJournal0017 } from '../migrations/0017-partitioned-journal.js';
import { PartitionedLog0018 } from '../migrations/0018-partitioned-log.js';
import { Waste0019 } from '../migrations/0019-waste.js';
import { EndedLives0020 } from '../migrations/0020-ended-lives.js';
import { Leases0021 } from '../migrations/0021-leases.js';
import { Growth0022 } from '../migrations/0022-growth.js';
import { GivenUpVideos0023 } from '../migrations/0023-given-up-videos.js';
import { RateLimits0024 } from '../migrations/0024-rate-limits.js';
import { Budgets0025 } from '../migrations/0025-budgets.js';
import { AbortPolicy0027 } from '../migrations/0027-abort-policy.js';
import { FallbackModels0028 } from '../migrations/0028-fallback-models.js';
import { ModelRouting0029 } from '../migrations/0029-model-routing.js';
import { TokenCache0030 } from '../migrations/0030-token-cache.js';
import { AttemptFigures0031 } from '../migrations/0031-attempt-figures.js';
import { ModelHedging0032 } from '../migrations/0032-model-hedging.js';
import { Alerts0034 } from '../migrations/0034-alerts.js';
import { RefusalMessages0035 } from '../migrations/0035-refusal-messages.js';
import { BodyCapture0036 } from '../migrations/0036-body-capture.js';
import { Aliases0038 } from '../migrations/0038-aliases.js';
import { StoredResponses0039 } from '../migrations/0039-stored-responses.js';
import { PromptCaching0040 } from '../migrations/0040-prompt-caching.js';
import { WalletAlerts0042 } from '../migrations/0042-wallet-alerts.js';
import { SecondFactor0043 } from '../migrations/0043-second-factor.js';
import { SingleSignOn0046 } from '../migrations/0046-single-sign-on.js';
import { StoredFiles0047 } from '../migrations/0047-stored-files.js';
import { Batches0048 } from '../migrations/0048-batches.js';
import { DisabledBy0049 } from '../migrations/0049-disabled-by.js';
import { RealtimeModels0050 } from '../migrations/0050-realtime-models.js';
import { Conversations0052 } from '../migrations/0052-conversations.js';
import { Projects0054 } from '../migrations/0054-projects.js';
import { Invitations0055 } from '../migrations/0055-invitations.js';
import { CachedInput0056 } from '../migrations/0056-cached-input.js';
import { SealedReplies0057 } from '../migrations/0057-sealed-replies.js';
import { BatchHeaders0058 } from '../migrations/0058-batch-headers.js';
import { Uploads0061 } from '../migrations/0061-uploads.js';
import { CachedContents0062 } from '../migrations/0062-cached-contents.js';
import { BatchCarriers0063 } from '../migrations/0063-batch-carriers.js';
import { UpstreamBatches0064 } from '../migrations/0064-upstream-batches.js';
import { FileTypes0065 } from '../migrations/0065-file-types.js';
import { AllowedIps0067 } from '../migrations/0067-allowed-ips.js';
import { ProjectsFromClaims0068 } from '../migrations/0068-projects-from-claims.js';
import { SortedTasks0069 } from '../migrations/0069-sorted-tasks.js';
import { UpstreamEndpoints0070 } from '../migrations/0070-upstream-endpoints.js';
import { ChannelsOfBatches0071 } from '../migrations/0071-channels-of-batches.js';
import { DisabledKeys0074 } from '../migrations/0074-disabled-keys.js';
import { AnnouncedKeys0075 } from '../migrations/0075-announced-keys.js';
import { FormerKeys0076 } from '../migrations/0076-former-keys.js';
import { CheapLooks0078 } from '../migrations/0078-cheap-looks.js';
import { HeldResponses0079 } from '../migrations/0079-held-responses.js';
import { FileObjects0080 } from '../migrations/0080-file-objects.js';
import { TaskSubmits0081 } from '../migrations/0081-task-submits.js';
import { TasksAtChannel0082 } from '../migrations/0082-tasks-at-channel.js';
import { ErrorClasses0083 } from '../migrations/0083-error-classes.js';
import { CompressedReplies0084 } from '../migrations/0084-compressed-replies.js';
import { ReplyParts0085 } from '../migrations/0085-reply-parts.js';

/** Every migration in its order. One that was released is never edited. */
export const MIGRATIONS = [
  InitialTables0001,
  MoneyFunctions0002,
  VideoTasks0003,
  Console0004,
  PlaneRoles0005,
  UsageCells0006,
  ModelLimits0007,
  WalletTenants0008,
  MoneyGuards0009,
  TaskHops0010,
  HoldRenewal0011,
  LedgerCheck0012,
  Retention0013,
  UsagePayers0014,
  PreparePartitions0015,
  ValidatePartitions0016,
  PartitionedJournal0017,
  PartitionedLog0018,
  Waste0019,
  EndedLives0020,
  Leases0021,
  Growth0022,
  GivenUpVideos0023,
  RateLimits0024,
  Budgets0025,
  AbortPolicy0027,
  FallbackModels0028,
  ModelRouting0029,
  TokenCache0030,
  AttemptFigures0031,
  ModelHedging0032,
  Alerts0034,
  RefusalMessages0035,
  BodyCapture0036,
  Aliases0038,
  StoredResponses0039,
  PromptCaching0040,
  WalletAlerts0042,
  SecondFactor0043,
  SingleSignOn0046,
  StoredFiles0047,
  Batches0048,
  DisabledBy0049,
  RealtimeModels0050,
  Conversations0052,
  Projects0054,
  Invitations0055,
  CachedInput0056,
  SealedReplies0057,
  BatchHeaders0058,
  Uploads0061,
  CachedContents0062,
  BatchCarriers0063,
  UpstreamBatches0064,
  FileTypes0065,
  AllowedIps0067,
  ProjectsFromClaims0068,
  SortedTasks0069,
  UpstreamEndpoints0070,
  ChannelsOfBatches0071,
  DisabledKeys0074,
  AnnouncedKeys0075,
  FormerKeys0076,
  CheapLooks0078,
  HeldResponses0079,
  FileObjects0080,
  TaskSubmits0081,
  TasksAtChannel0082,
  ErrorClasses0083,
  CompressedReplies0084,
  ReplyParts0085,
];

/** Their names, as the database keeps them of those that were applied. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map((Migration) => new Migration().name);
