import type {
  CallerToken,
  Catalog,
  Channel,
  HoldOwner,
  Model,
  RequestLogRow,
  WalletPort,
} from '@mg/contract';
import type {
  BatchWriter,
  CachedContents,
  CallerAccount,
  Compactions,
  IdempotentReplies,
  StoredConversations,
  StoredFiles,
  StoredUploads,
  StoredResponses,
  UploadLinks,
  UsageJournal,
  WalletBatches,
} from '@mg/persistence/gateway';
import type {
  AttemptTally,
  ChannelHealth,
  ChannelLoad,
  Hedging,
  KeyRotation,
  RetryBudget,
} from '@mg/routing';
import type { Logger } from '@mg/runtime';
import type { HttpUpstream, TokenExchange } from '@mg/transport';
import type { CallsInFlight } from '../access/calls-in-flight.js';
import type { ResponseCache } from '../cache/response-cache.js';
import type { BodyCapture } from '../capture/body-capture.js';
import type { BatchLines } from '../access/batch-lines.js';
import type { FreeShares } from '../access/fair-share.js';
import type { OpenSessions } from '../edge/open-sessions.js';
import type { Funds } from '../access/funds.js';
import type { TokenCache } from '../access/token-cache.js';
import type { ChangeNotifications } from './change-notifications.js';
import type { ChatEndpoints } from './chat-endpoints.js';
import type { MediaFetching } from './fetch-media.js';
import type { HeldCalls } from './held-calls.js';
import type { ImageLinks } from '../images/image-links.js';
import type { InferenceMetrics } from './inference-metrics.js';
import type { Allowance } from '../access/allowance.js';
import type { TokenCounter } from './token-counter.js';
import type { BodyBudget } from '../edge/body-budget.js';
import type { Spool } from '../edge/spool.js';
import type { Leases } from '../leases/leases.js';
import type { Limiter } from '../limits/limiter.js';
import type { Tracing } from '../trace/call-trace.js';

/** What calls depend on, wired once at boot. */
export interface GatewayContext {
  /** The configuration in force now. */
  readonly catalog: () => Catalog;
  /** A channel by its id, disabled ones included. */
  findChannel(id: string): Promise<Channel | undefined>;
  /** A model by its slug, disabled ones included. */
  readonly loadModel: (slug: string) => Promise<Model | undefined>;
  readonly tokens: TokenCache;
  /** The token of an id, also one that is deleted or disabled. */
  readonly findToken: (id: string) => Promise<CallerToken | undefined>;
  readonly batchLines: BatchLines;
  readonly wallet: WalletPort;
  /** Name of this installation in the header that detects loops. */
  readonly installation: string;
  readonly upstream: HttpUpstream;
  readonly tokenExchange: TokenExchange;
  readonly chatEndpoints: ChatEndpoints;
  readonly keys: KeyRotation;
  readonly mediaFetching: MediaFetching;
  /** Addresses for images that clients want by URL; left out where no results are kept. */
  readonly images?: ImageLinks | undefined;
  /** Address of this plane as callers reach it, where the operator set it. */
  readonly publicUrl?: string | undefined;
  readonly health: ChannelHealth;
  readonly load: ChannelLoad;
  readonly retries: RetryBudget;
  /** When another channel is asked as well. */
  readonly hedging: Hedging;
  /** How attempts at upstreams went. */
  readonly attempts: AttemptTally;
  readonly journal: UsageJournal;
  readonly requestLog: BatchWriter<RequestLogRow>;
  readonly tracing: Tracing;
  /** Keeps bodies of calls whose keys ask for it. */
  readonly capture: Pick<BodyCapture, 'begin' | 'end'>;
  /** Which refused calls are logged. */
  readonly refusals: Allowance;
  /** Where calls of ample wallets are admitted in memory. */
  readonly leases: Leases;
  /** Keeps rates and concurrency over all gateways. */
  readonly limiter: Limiter;
  /** Calls in flight whose holds have to stand as long as they do. */
  readonly heldCalls: HeldCalls;
  readonly replies: IdempotentReplies;
  /** What the Responses API remembers; left out where nothing is. */
  readonly responses?: StoredResponses;
  /** Conversations that responses add to; left out where nothing is remembered. */
  readonly conversations?: StoredConversations;
  /** Seals conversations that were compacted; left out where none can be. */
  readonly compactions?: Compactions;
  /** What callers send for batches, and what batches have made. */
  readonly files: StoredFiles;
  readonly uploads: StoredUploads;
  readonly uploadLinks: UploadLinks;
  readonly cachedContents: CachedContents;
  readonly batches: WalletBatches;
  /** Answers for callers who ask for them. */
  readonly cache: ResponseCache;
  /** Ends of calls with an Idempotency-Key, here and in other gateways. */
  readonly replyEnds: ChangeNotifications;
  readonly account: CallerAccount;
  readonly funds: Funds;
  /** What each key and each address may have of what costs nothing. */
  readonly shares: FreeShares;
  /** Calls that cost money, by key. */
  readonly inFlight: CallsInFlight;
  /** Realtime sessions of this process. */
  readonly sessions: OpenSessions;
  /** Counts tokens where an upstream does not. */
  readonly counter: TokenCounter;
  readonly metrics: InferenceMetrics;
  /** Memory for the bodies of calls. */
  readonly bodies: BodyBudget;
  /** The same for lines that their provider has carried out: no caller's own requests keep them from being charged. */
  readonly settlements: BodyBudget;
  /** Disk for the large files of forms. */
  readonly spool: Spool;
  readonly owner: HoldOwner;
  readonly logger: Logger;
}
