import { GatewayError, type Model, NO_USAGE, type Usage } from '@mg/contract';
import { worstCaseOfUsage } from '@mg/pricing';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import type { Bound } from '../../call/operation.js';
import { pinPrice, refuseUnpriced } from '../../call/pin-price.js';

/** Path as the route, the log and the metrics name it. */
export const REALTIME_PATH = '/v1/realtime';
/** The longest context of any known model, for models without a `context_window`. */
const LONGEST_CONTEXT = 2_000_000;
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
const ANSWER_SHARE_OF_CONTEXT = 4;

/** What a session is, as the stages of a call want it. Each of its responses is held for and charged by itself. */
export class RealtimeOperation {
  readonly kind = 'realtime';
  readonly stream = true;

  constructor(
    /** As the client names it. */
    readonly model: string,
    private readonly gateway: Pick<GatewayContext, 'wallet'>,
  ) {}

  /**
   * What one response can cost: it may read as much as the model's context holds, at the highest of its rates, and say as much as the
   * model can.
   *
   * @throws GatewayError `model_not_priced`
   */
  bound(model: Model, _plan: unknown, record: CallRecord): Bound<Hold> {
    const pinned = pinPrice(record, model);
    refuseUnpriced(model, pinned.price);
    const wanted = worstCaseOfUsage(boundResponse(model), pinned.price);
    return {
      price: pinned,
      wanted,
      minimum: wanted,
      // Of billing, never of a lease: it may wait for its response longer than any lease lasts.
      openHold: (request) => this.gateway.wallet.openHold(request),
      toHold: (hold) => hold,
      explainRefusal: (error) => explainRefusal(error, model),
    };
  }
}

/** The most that one response of a model may use. */
export function boundResponse({ contextWindow, maxOutputTokens }: Model): Usage {
  const inputTokens = contextWindow ?? LONGEST_CONTEXT;
  const usual = Math.min(DEFAULT_MAX_OUTPUT_TOKENS, Math.ceil(inputTokens / ANSWER_SHARE_OF_CONTEXT));
  return { ...NO_USAGE, inputTokens, outputTokens: maxOutputTokens ?? usual };
}

/** A caller without funds for a whole context learns what needs one; the operator, that the model's own is not known. */
function explainRefusal(error: GatewayError, { slug, contextWindow }: Model): GatewayError {
  if (error.code !== 'insufficient_balance') return error;
  const why = contextWindow === undefined ? `, since the model "${slug}" has no context_window` : '';
  const tokens = contextWindow ?? LONGEST_CONTEXT;
  return new GatewayError(
    error.code,
    `${error.message} A response may read the whole context of the model: ${tokens} tokens${why}.`,
  );
}
