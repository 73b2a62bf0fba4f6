import { GatewayError, type Model, type ModelKind, NO_USAGE, type PriceKey, type Usage } from '@mg/contract';
import { worstCaseOfUsage } from '@mg/pricing';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import type { Bound } from '../../call/operation.js';
import { pinPrice, refuseUnpriced } from '../../call/pin-price.js';

/** Paths as the routes, the log and the metrics name them. */
export const REALTIME_PATH = '/v1/realtime';
/** Google's paths, by the version of its API. What is served is the same. */
export const LIVE_PATHS: ReadonlyMap<string, string> = new Map(
  ['v1', 'v1beta', 'v1alpha'].map((version) => [
    version,
    `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
  ]),
);
/** The longest context of any known model, for models without a `context_window`. */
const LONGEST_CONTEXT = 2_000_000;
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
const ANSWER_SHARE_OF_CONTEXT = 4;

/** Most seconds of audio that become one transcript: as long as a session lasts; more that is sent faster is refused. */
export const LONGEST_SPEECH_SECONDS = 3_600;
const HEARD_TOKENS_PER_SECOND = 10;
/** What a model that transcribes may be told beside the audio. */
const TRANSCRIPTION_PROMPT_TOKENS = 1_024;

/** A rate that a price must have, since a field of the client's asks for what it is for. */
export interface RateNeed {
  readonly param: string;
  readonly rate: PriceKey;
}

/** What is asked of a model in a session, as the stages of a call want it. Each of its answers is held for and charged by itself. */
export class SessionOperation {
  readonly stream = true;

  /**
   * @param model as the client names it.
   * @param boundUsage the most that one answer of a model may use.
   * @param needs what is used beside text and audio.
   */
  constructor(
    readonly kind: ModelKind,
    readonly model: string,
    readonly boundUsage: (model: Model) => Usage,
    private readonly gateway: Pick<GatewayContext, 'wallet'>,
    private readonly needs: readonly RateNeed[] = [],
  ) {}

  /** @throws GatewayError `model_not_priced`, `invalid_request` for what the model has no rate for. */
  bound(model: Model, _plan: unknown, record: CallRecord): Bound<Hold> {
    const pinned = pinPrice(record, model);
    refuseUnpriced(model, pinned.price);
    refuseUnrated(this.needs, model, pinned.price);
    const wanted = worstCaseOfUsage(this.boundUsage(model), pinned.price);
    return {
      price: pinned,
      wanted,
      minimum: wanted,
      // Of billing, never of a lease: it may wait for its answer longer than any lease lasts.
      openHold: (request) => this.gateway.wallet.openHold(request),
      toHold: (hold) => hold,
      explainRefusal: (error) => explainRefusal(error, model),
    };
  }
}

/** Usage of an answer as it is billed: no more searches than were held for, as in any chat. */
export function billAnswer(usage: Usage, operation: SessionOperation, model: Model): Usage {
  const { webSearches: most = 0 } = operation.boundUsage(model);
  const { webSearches = 0 } = usage;
  return webSearches > most ? { ...usage, webSearches: most } : usage;
}

/** One response may read as much as the model's context holds, and say as much as the model can. */
export function boundResponse({ contextWindow, maxOutputTokens }: Model): Usage {
  const inputTokens = contextWindow ?? LONGEST_CONTEXT;
  const usual = Math.min(DEFAULT_MAX_OUTPUT_TOKENS, Math.ceil(inputTokens / ANSWER_SHARE_OF_CONTEXT));
  return { ...NO_USAGE, inputTokens, outputTokens: maxOutputTokens ?? usual };
}

/** Searches of the web in one turn; each may have the model read all of it once more. */
const MOST_SEARCHES = 5;

/** The same where the model may search the web. */
export function boundSearch(model: Model): Usage {
  const { inputTokens, ...usage } = boundResponse(model);
  return { ...usage, inputTokens: 2 * inputTokens, webSearches: MOST_SEARCHES };
}

/** One transcript may be of all that is said in a session. */
export function boundTranscript({ contextWindow = Infinity, maxOutputTokens }: Model): Usage {
  const heard = LONGEST_SPEECH_SECONDS * HEARD_TOKENS_PER_SECOND + TRANSCRIPTION_PROMPT_TOKENS;
  return {
    ...NO_USAGE,
    seconds: LONGEST_SPEECH_SECONDS,
    inputTokens: Math.min(contextWindow, heard),
    outputTokens: maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
  };
}

/** @throws GatewayError `invalid_request` naming the field. */
export function refuseUnrated(
  needs: readonly RateNeed[],
  { slug }: Pick<Model, 'slug'>,
  price: Partial<Record<PriceKey, unknown>>,
): void {
  const unmet = needs.find(({ rate }) => price[rate] === undefined);
  if (!unmet) return;
  const { param, rate } = unmet;
  const problem = `${param}: the model "${slug}" has no ${rate}.`;
  throw new GatewayError('invalid_request', problem, { param, reason: 'model_not_priced' });
}

/** A caller without funds for a whole context learns what needs one; the operator, that the model's own is not known. */
function explainRefusal(error: GatewayError, { slug, kind, contextWindow }: Model): GatewayError {
  if (error.code !== 'insufficient_balance' || kind !== 'realtime') return error;
  const why = contextWindow === undefined ? `, since the model "${slug}" has no context_window` : '';
  const tokens = contextWindow ?? LONGEST_CONTEXT;
  return new GatewayError(
    error.code,
    `${error.message} A response may read the whole context of the model: ${tokens} tokens${why}.`,
  );
}
