import type { Catalog, HoldOwner, JournalRow, RequestLogRow, WalletPort } from '@mg/contract';
import type { BatchWriter, CallerAccount, IdempotentReplies } from '@mg/persistence';
import type { ChannelHealth } from '@mg/routing';
import type { Logger } from '@mg/runtime';
import type { HttpUpstream, TokenExchange } from '@mg/transport';
import type { FreeShares } from './access/fair-share.js';
import type { Funds } from './access/funds.js';
import type { TokenCache } from './access/token-cache.js';
import type { InferenceMetrics } from './call/inference-metrics.js';
import type { TokenCounter } from './count/token-counter.js';
import type { BodyBudget } from './http/body-budget.js';
import type { Spool } from './http/spool.js';
import type { MediaFetching } from './lanes/inline-media.js';
import type { VideoKit } from './video/video-kit.js';

/** Everything a call works with, wired once at boot. */
export interface Kit {
  /** The configuration in force now. */
  readonly catalog: () => Catalog;
  readonly tokens: TokenCache;
  readonly wallet: WalletPort;
  readonly video: VideoKit;
  /** Name of this installation in the header that tells loops. */
  readonly installation: string;
  readonly upstream: HttpUpstream;
  readonly tokenExchange: TokenExchange;
  readonly mediaFetching: MediaFetching;
  readonly health: ChannelHealth;
  readonly journal: BatchWriter<JournalRow>;
  readonly requestLog: BatchWriter<RequestLogRow>;
  readonly replies: IdempotentReplies;
  readonly account: CallerAccount;
  readonly funds: Funds;
  /** What each key and each address may have of what costs nothing. */
  readonly shares: FreeShares;
  /** Counts tokens where an upstream does not. */
  readonly counter: TokenCounter;
  readonly metrics: InferenceMetrics;
  /** Memory for the bodies of calls. */
  readonly bodies: BodyBudget;
  /** Disk for the large files of forms. */
  readonly spool: Spool;
  readonly owner: HoldOwner;
  readonly logger: Logger;
}
