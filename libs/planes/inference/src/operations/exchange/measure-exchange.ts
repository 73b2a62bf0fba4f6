import { applyVariant, chooseVariant, type Usage } from '@mg/contract';
import { boundBytes, type Exchange, type OpenVariant, type Steps } from '@mg/protocols';
import type { BilledUsage } from '../../call/operation.js';
import type { BoundHold } from './bound-exchange.js';
import { estimateBytes, type TokenCounter } from '../../call/token-counter.js';

/** Usage of a call whose upstream did not report it: what was asked for, its text counted by a tokenizer. */
async function estimateExchange({ estimate, promptTexts }: Exchange, counter: TokenCounter): Promise<Usage> {
  if (promptTexts.length === 0) return estimate;
  return { ...estimate, inputTokens: await counter.countAll(listTexts(promptTexts)) };
}

function* listTexts(texts: readonly string[]): Steps<readonly string[]> {
  yield;
  return texts;
}

/**
 * Usage as it is billed: by the price variant that was chosen when the money was held, and estimated where the upstream
 * reported nothing. Images may be priced by tokens that an upstream does not report: those of the images that came are then
 * estimated.
 */
export async function measureExchange(
  exchange: Exchange,
  hold: BoundHold,
  reported: Usage | undefined,
  counter: TokenCounter,
): Promise<BilledUsage> {
  const { openVariant } = exchange;
  if (reported && !lacksTokens(reported, hold)) {
    return { usage: billBy(hold, reported, openVariant), estimated: false };
  }
  const guess = await estimateExchange(exchange, counter);
  const usage = reported ? cutToImages(guess, reported.images) : guess;
  return { usage: billBy(hold, usage, openVariant), estimated: true };
}

/** Usage of what was asked for, its text measured by its length. */
export function approximateExchange(exchange: Exchange, hold: BoundHold): Usage {
  const { estimate, bound, promptTexts, openVariant } = exchange;
  const bytes = boundBytes(promptTexts, bound.inputTokens);
  const usage = promptTexts.length === 0 ? estimate : { ...estimate, inputTokens: estimateBytes(bytes) };
  return billBy(hold, usage, openVariant);
}

function billBy(hold: BoundHold, { variant: drawn, ...usage }: Usage, open: OpenVariant | undefined): Usage {
  const variant = open && drawn !== undefined ? findDrawn(hold, drawn, open) : hold.variant;
  return variant === undefined ? usage : { ...usage, variant };
}

/** The variant of what was made, as `1024x1024/high`; that of the hold where the price or the request has no such one. */
function findDrawn({ price: { price }, variant }: BoundHold, drawn: string, open: OpenVariant) {
  if (!open.mayBe(drawn)) return variant;
  const [size = '', quality = ''] = drawn.split('/');
  const found = chooseVariant(price, [drawn, quality, size]);
  return found ?? (price.per_image === undefined ? variant : undefined);
}

function lacksTokens(usage: Usage, { price, variant }: BoundHold): boolean {
  const rates = applyVariant(price.price, variant);
  const byTokens = rates.per_image === undefined && rates.output_per_million !== undefined;
  return byTokens && usage.images > 0 && usage.inputTokens + usage.outputTokens === 0;
}

function cutToImages(guess: Usage, images: number): Usage {
  const share = (tokens: number) => Math.ceil((tokens * images) / Math.max(1, guess.images));
  return {
    ...guess,
    images,
    outputTokens: share(guess.outputTokens),
    imageOutputTokens: share(guess.imageOutputTokens ?? 0),
  };
}
