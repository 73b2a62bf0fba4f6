import type { ScopedLimits } from './limits.js';
import type { AddressSet } from './network-addresses.js';
import type { PinnedPrice } from './price.js';

export const MODEL_KINDS = [
  'chat',
  'embedding',
  'image',
  'transcription',
  'speech',
  'moderation',
  'rerank',
  'realtime',
  'video',
] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_STATES = ['active', 'disabled'] as const;
export type ModelState = (typeof MODEL_STATES)[number];

/** How long each phase of an upstream call may take, in milliseconds. */
export interface ChannelTimeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Longest of these; a timer of Node cannot wait for more than 24 days. */
export const MAX_TIMEOUT_MS = 24 * 3_600_000;

export const DEFAULT_TIMEOUTS: ChannelTimeouts = Object.freeze({
  connectMs: 3_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  totalMs: 15 * 60_000,
});

/** What happens to a whole answer whose caller has left: it runs to its end, or the upstream is told to stop. */
export const ABORT_POLICIES = ['finish', 'cancel'] as const;
export type AbortPolicy = (typeof ABORT_POLICIES)[number];

/** Whether prompts are marked for the provider's cache where the caller marked nothing. */
export const PROMPT_CACHINGS = ['auto', 'off'] as const;
export type PromptCaching = (typeof PROMPT_CACHINGS)[number];

/** Who carries out the lines of batches: the gateway, one call for each, or the provider, as batches of its own. */
export const BATCH_CARRIERS = ['gateway', 'native'] as const;
export type BatchCarrier = (typeof BATCH_CARRIERS)[number];

/** One way to an upstream: a provider's type, address and credentials, with the models it serves. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  /** Id of a provider descriptor, such as `openai-compatible`. */
  readonly type: string;
  readonly baseUrl: string | undefined;
  /** Decrypted credentials, used in turn. They exist in the memory of gateway and worker only. */
  readonly apiKeys: readonly string[];
  /** Those that an operator has disabled: nothing new is begun with them, what was begun is brought to its end. */
  readonly disabledKeys?: readonly string[] | undefined;
  /** Public slug to the upstream's own model name. */
  readonly models: ReadonlyMap<string, string>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Higher is tried first. */
  readonly priority: number;
  /** Share among channels of equal priority. */
  readonly weight: number;
  readonly timeouts: ChannelTimeouts;
  /** That of its type when absent. */
  readonly onAbort?: AbortPolicy | undefined;
  /** `auto` when absent. */
  readonly promptCaching?: PromptCaching | undefined;
  /** `gateway` when absent. */
  readonly batches?: BatchCarrier | undefined;
  /** The provider's own, which the gateways keep. */
  readonly limits?: ScopedLimits | undefined;
  /** Probed when it had no calls for so many milliseconds; never when absent. */
  readonly probeMs?: number | undefined;
}

/** Why a call goes on to another model: every channel failed, the prompt is too long, or the content was refused. */
export const FALLBACK_CAUSES = ['failure', 'context', 'refusal'] as const;
export type FallbackCause = (typeof FALLBACK_CAUSES)[number];
/** How channels of equal priority are ordered: by weight, time to answer, calls in flight, or price. */
export const ROUTING_STRATEGIES = ['priority', 'latency', 'busy', 'cost'] as const;
export type RoutingStrategy = (typeof ROUTING_STRATEGIES)[number];
/** Other models at most that one call may go to. */
export const MAX_FALLBACKS = 5;

export interface Model {
  readonly slug: string;
  readonly kind: ModelKind;
  readonly createdAt: number;
  /** Most tokens the model can produce in one answer, where known. */
  readonly maxOutputTokens: number | undefined;
  /** Most tokens of a prompt, images and files included, where known. */
  readonly contextWindow: number | undefined;
  /** Slugs of models that its calls may go to, in this order; none when absent. */
  readonly fallback?: readonly string[] | undefined;
  /** When they do; after a failure alone when absent. */
  readonly fallbackOn?: readonly FallbackCause[] | undefined;
  /** By weight when absent. */
  readonly routing?: RoutingStrategy | undefined;
  /** Whether calls of one conversation go to one channel and key, as long as that is healthy. */
  readonly sticky?: boolean | undefined;
  /** How long a stream may take until its first event, whatever its channel allows, in milliseconds. */
  readonly firstTokenMs?: number | undefined;
  /** Whether another channel is asked as well when a whole answer is late. */
  readonly hedge?: boolean | undefined;
  readonly limits?: ScopedLimits | undefined;
  /** Other names that calls may ask for it by; `*` stands for any characters. */
  readonly aliases?: readonly string[] | undefined;
  /** Price versions, newest `effectiveFrom` first. */
  readonly prices: readonly PinnedPrice[];
}

/** Everything a gateway routes by, as one immutable value that is swapped whole. Only active models and enabled channels are in it. */
export interface Catalog {
  /** Grows with each change; which of two snapshots is newer. */
  readonly version: number;
  readonly models: ReadonlyMap<string, Model>;
  /** Channels that serve a slug. */
  readonly channelsBySlug: ReadonlyMap<string, readonly Channel[]>;
}

/** An API key's owner and limits as the gateway knows them. Amounts stay with billing. */
export interface CallerToken {
  readonly id: string;
  readonly name: string;
  readonly walletId: string;
  readonly userId: string;
  /** Slugs this token may use; `undefined` means every active model. */
  readonly allowedModels: ReadonlySet<string> | undefined;
  /** Addresses that its calls may come from; `undefined` means any. */
  readonly allowedIps?: AddressSet | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly disabled: boolean;
  /** Whether its calls belong to an administrator, who may know of channels. */
  readonly isAdministrator?: boolean;
  /** Its own, its wallet's and its user's; `undefined` where there are none. */
  readonly limits?: readonly ScopedLimits[] | undefined;
  /** Calls of a token with this are given answers of equal calls that are no older, in milliseconds. */
  readonly cacheMs?: number | undefined;
  /** How long bodies of its calls are kept, and until when that goes on, in milliseconds since the epoch; absent for none. */
  readonly capture?: { readonly seconds: number; readonly until: number | undefined } | undefined;
  /** Slug of the model for names that no model has. */
  readonly defaultModel?: string | undefined;
  /** Whether the Responses API remembers its calls; `true` when absent. */
  readonly storesResponses?: boolean | undefined;
}

/** The price in force at a moment, or `undefined` when the model has none yet. */
export function priceAt(model: Model, nowMs: number): PinnedPrice | undefined {
  return model.prices.find((pinned) => pinned.effectiveFrom <= nowMs);
}
