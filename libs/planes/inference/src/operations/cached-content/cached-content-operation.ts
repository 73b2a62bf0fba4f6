import {
  applyVariant,
  GatewayError,
  type Model,
  newId,
  NO_USAGE,
  priceAt,
  sha256,
  type Usage,
} from '@mg/contract';
import type { CachedContent } from '@mg/persistence/gateway';
import {
  ANSWER_SHAPE,
  CACHED_SECONDS,
  editNewCachedContent,
  type NewCachedContentCall,
  readKeptContent,
  refuseUpstreamRouting,
  type UpstreamAnswer,
  writeCachedContent,
} from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { AnswerEnd, BilledUsage, Bound, UsageReport } from '../../call/operation.js';
import type { AnswerLimits, PreparedAttempt, WholeAnswer } from '../../call/prepared-attempt.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import type { ChatHold } from '../chat/bound-chat.js';
import { ChatOperation } from '../chat/chat-operation.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { isNative } from '../chat/prepare-chat.js';
import { readCached } from './read-cached.js';

const LIMITS: AnswerLimits = { maxBytes: 64 * 1024, isJson: true, shape: ANSWER_SHAPE };
const JSON_TYPE = 'application/json; charset=utf-8';
/** What the tokens of a cached content are charged by: their input, and the hour that they are stored for. */
const RATE = 'cache_write_1h_per_million';

/**
 * A prompt that the provider is to keep. It is charged once, with its storage for an hour, and lies in the account of the
 * channel and the key that made it.
 */
export class CachedContentOperation extends ChatOperation {
  /** What a provider may have stored already is not ordered from another one. */
  override readonly isOrderedOnce = true;

  constructor(
    request: ChatRequest,
    private readonly content: NewCachedContentCall,
    private readonly walletId: string,
    gateway: GatewayContext,
  ) {
    // An equal call makes another one.
    super(request, gateway, { goesOn: true });
  }

  override get isBound() {
    return true;
  }

  override bound(model: Model, plan: Plan, record: CallRecord): Bound<ChatHold> {
    refuseUnpricedStorage(model);
    return super.bound(model, plan, record);
  }

  override prepare(attempt: TimedAttempt): PreparedAttempt {
    const { request, gateway } = this;
    const { channel, upstreamModel } = attempt;
    const { protocol, body, envelope } = request;
    const endpoint = gateway.chatEndpoints.find(channel, 'cached-content', upstreamModel, protocol.name);
    if (!endpoint || !isNative(endpoint, request)) {
      throw new GatewayError(
        'invalid_request',
        `model cannot be used with a channel of type ${channel.type}: it keeps no contents.`,
        { param: 'model' },
      );
    }
    refuseUpstreamRouting(envelope.parsed);
    return {
      endpoint,
      bodies: [{ contentType: 'application/json', bytes: editNewCachedContent(body, upstreamModel) }],
      passedHeaders: {},
      dropped: undefined,
      limits: LIMITS,
      stream: undefined,
      readAnswer: ([answer]) => this.#keep(answer, attempt),
      parseUpstreamError: (text) => protocol.parseUpstreamError(text),
    };
  }

  override async measure({ usage }: UsageReport, { hold }: AnswerEnd<ChatHold>): Promise<BilledUsage> {
    if (usage) return { usage, estimated: false };
    const { inputTokens } = await this.estimateSent(hold);
    return { usage: toUsage(inputTokens), estimated: true };
  }

  /** Our name of it is known before its maker hears of it. */
  async #keep(
    answer: UpstreamAnswer | undefined,
    { channel, apiKey, slug }: TimedAttempt,
  ): Promise<WholeAnswer> {
    const kept = readKeptContent(answer?.parsed);
    if (!kept) throw new GatewayError('upstream_error', 'its answer is no cached content');
    const { displayName, ttlSeconds } = this.content;
    const content: CachedContent = await readCached(
      this.gateway.cachedContents.create(this.walletId, {
        id: newId().replaceAll('-', ''),
        model: slug,
        channelId: channel.id,
        keyHash: apiKey === undefined ? undefined : sha256(apiKey),
        upstreamName: kept.name,
        displayName,
        tokens: kept.tokens ?? 0,
        ttlSeconds,
        paidSeconds: CACHED_SECONDS,
      }),
    );
    return {
      contentType: JSON_TYPE,
      bytes: Buffer.from(JSON.stringify(writeCachedContent(content))),
      usage: kept.tokens === undefined ? undefined : toUsage(kept.tokens),
      readText: () => '',
    };
  }
}

function toUsage(tokens: number): Usage {
  return { ...NO_USAGE, inputTokens: tokens, cacheWriteTokens: tokens, cacheWrite1hTokens: tokens };
}

/** Storage that has no price is not ordered: the provider charges for it by the hour. */
function refuseUnpricedStorage(model: Model): void {
  const price = priceAt(model, Date.now())?.price;
  if (price && applyVariant(price, undefined)[RATE] !== undefined) return;
  throw new GatewayError(
    'model_not_priced',
    `The model "${model.slug}" has no price for storage: its price needs ${RATE}.`,
    { param: 'model' },
  );
}
