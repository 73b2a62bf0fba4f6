export {
  type AttemptFailure,
  type AttemptFigures,
  type AttemptPart,
  classOf,
  type Histogram,
  quantileOf,
} from './attempt-figures.js';
export {
  BILLING_PATTERN,
  type CreditLimitMessage,
  type CreditLimitReply,
  type CreditLimitRequest,
  type HeartbeatMessage,
  type HeartbeatReply,
  type HoldOpenMessage,
  type HoldOpenReply,
  type HoldReply,
  MAX_HOLDS_PER_MESSAGE,
  MAX_RENEWALS_PER_MESSAGE,
  type TaskChargeMessage,
  type TaskChargeReply,
  type TaskEndMessage,
  type TaskEndReply,
  type TaskOpenMessage,
  type TaskOpenReply,
  type TopUpMessage,
  type TopUpOutcome,
  type TopUpReply,
  type TopUpRequest,
  type WalletOpenMessage,
  type WalletOpenReply,
  type WalletOpenRequest,
  type WalletPort,
} from './billing.js';
export {
  type CallerToken,
  type Catalog,
  type Channel,
  type ChannelTimeouts,
  ABORT_POLICIES,
  BATCH_CARRIERS,
  type BatchCarrier,
  type AbortPolicy,
  DEFAULT_TIMEOUTS,
  FALLBACK_CAUSES,
  type FallbackCause,
  MAX_FALLBACKS,
  MAX_TIMEOUT_MS,
  type Model,
  MODEL_KINDS,
  MODEL_STATES,
  type ModelKind,
  type ModelState,
  priceAt,
  PROMPT_CACHINGS,
  type PromptCaching,
  ROUTING_STRATEGIES,
  type RoutingStrategy,
} from './catalog.js';
export { durationSchema } from './durations.js';
export { toKeyHint } from './key-hint.js';
export {
  baseUrlSchema,
  cacheSchema,
  channelModelsSchema,
  type ConfigurationFile,
  configurationFileSchema,
  fallbackCausesSchema,
  aliasesSchema,
  fallbackSchema,
  firstTokenTimeoutSchema,
  nameSchema,
  probeSchema,
  slugSchema,
  timeoutSchema,
  tokenLimitSchema,
  usdSchema,
  MAX_CAPTURE_SECONDS,
} from './configuration-file.js';
export { cutInParts } from './cut-in-parts.js';
export { freeBuffer, joinInSlices, moveInSlices } from './join-in-slices.js';
export { toFlatString } from './to-flat-string.js';
export {
  ENVIRONMENT,
  type Environment,
  EnvironmentError,
  type EnvironmentName,
  readEnvironment,
} from './environment.js';
export {
  BUDGET_PERIODS,
  type BudgetPeriod,
  type Budgets,
  budgetsSchema,
  type BudgetSubject,
} from './budgets.js';
export {
  type Limits,
  type LimitScope,
  limitsSchema,
  nextSequence,
  type ScopedLimits,
  scopeLimits,
} from './limits.js';
export { ERROR_TABLE, type ErrorCode, GatewayError, refuse } from './errors.js';
export { findReason, REFUSAL_REASONS, REFUSALS, type RefusalReason, sayRefusal } from './refusals.js';
export {
  CHANNEL_TEST_MS,
  type ChannelTestMessage,
  type ChannelTestPort,
  GATEWAY_PATTERN,
  type ListedModel,
  MODEL_LIST_MS,
  type ModelListMessage,
  type ModelListOutcome,
  type ProbeOutcome,
} from './gateway.js';
export {
  type HoldMessage,
  type HoldOutcome,
  type HoldOwner,
  type HoldRefusal,
  type HoldRequest,
  LONGEST_BATCH_HOLD_SECONDS,
  LONGEST_HOLD_SECONDS,
  RENEWED_HOLD_SECONDS,
} from './hold.js';
export { addHop, HOPS_HEADER, nameInstallation, readHops } from './hops.js';
export { type AddressSet, allowedIpsSchema } from './network-addresses.js';
export { newApiKey, newId, sha256 } from './ids.js';
export type {
  AttemptRow,
  CallLease,
  CallReason,
  JournalPayer,
  JournalPhase,
  JournalRow,
  RequestLogRow,
} from './journal.js';
export {
  LEASE_MARGIN_MS,
  LEASE_TTL_MS,
  type LeaseOpenMessage,
  type LeaseOpenReply,
  type LeaseOutcome,
  type LeasePort,
  type LeaseRefusal,
  type LeaseRequest,
  type LeaseReturn,
  type LeaseReturnMessage,
  type LeaseReturnReply,
  MAX_LEASES_PER_MESSAGE,
} from './lease.js';
export { divideUp, formatUsd, NANO_PER_USD, type NanoUsd, parseUsd, toUsdNumber } from './money.js';
export { omitUndefined } from './omit-undefined.js';
export {
  applyVariant,
  BATCH_TIER,
  chooseVariant,
  type LongContextRates,
  parsePrice,
  type PinnedPrice,
  type Price,
  PRICE_KEYS,
  type PriceKey,
  type PriceSheet,
  priceSheetSchema,
  type Rates,
  TOOL_FEES,
  type ToolFee,
  type UnitPrices,
  writePrice,
} from './price.js';
export { explainIssue } from './sentences.js';
export {
  findUnstorableText,
  isStorableText,
  toStorableJson,
  toStorableText,
  UNSTORABLE_RULE,
} from './storable-text.js';
export {
  isPlausible,
  mergeUsage,
  NO_USAGE,
  toCount,
  type Usage,
  usageFromRow,
  type UsageRow,
  usageToRow,
} from './usage.js';
export {
  WASTE_REASONS,
  type Wasted,
  type WastedAttempt,
  wasteFromRows,
  type WasteReason,
  wasteToRows,
} from './waste.js';
export {
  isTaskEnd,
  type NewTask,
  type Task,
  TASK_ENDS,
  TASK_STATES,
  type TaskEnd,
  type TaskEndOutcome,
  type TaskEndState,
  type TaskError,
  type ApiVariant,
  type TaskMoneyPort,
  type TaskOpenRequest,
  type TaskResult,
  type TaskState,
} from './video.js';
export { PHRASE_CODES, type Phrase, readPhrases } from './phrases.js';
