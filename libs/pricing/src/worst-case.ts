import {
  applyVariant,
  divideUp,
  type ModelKind,
  type NanoUsd,
  NO_USAGE,
  PRICE_KEYS,
  type Price,
  type PriceKey,
  type Usage,
} from '@mg/contract';
import { costOfCall } from './cost-of-call.js';

const TOKENS_PER_PRICE = 1_000_000n;

/** Prices that a call of a kind cannot do without; any one complete set is enough. A flat price above zero always is. */
const NEEDED: Record<ModelKind, readonly (readonly PriceKey[])[]> = {
  chat: [['input_per_million', 'output_per_million']],
  embedding: [['input_per_million']],
  image: [['per_image'], ['input_per_million', 'output_per_million']],
  transcription: [['per_minute'], ['input_per_million', 'output_per_million']],
  speech: [['per_million_characters'], ['input_per_million', 'output_per_million'], ['per_minute']],
  moderation: [['per_request'], ['input_per_million']],
  rerank: [['per_request'], ['input_per_million']],
  video: [['per_second']],
};

/** Whether a price covers what a call of this kind uses; without it the call is refused, never free. */
export function isPriced(kind: ModelKind, price: Price): boolean {
  if (price.per_request !== undefined && price.per_request > 0n) return true;
  return NEEDED[kind].some((keys) => keys.every((key) => price[key] !== undefined));
}

/** Meters that a request tells all by itself. */
const TOLD_BY_REQUEST: ReadonlySet<PriceKey> = new Set(['per_million_characters', 'per_request']);

/** Whether what a call costs is known before anybody is asked, because nothing of its answer is charged for. */
export function isKnownBeforehand(price: Price): boolean {
  return PRICE_KEYS.every((key) => price[key] === undefined || TOLD_BY_REQUEST.has(key));
}

/** Bounds of a token-priced call: no more prompt tokens than `promptTokens`, no more output than `outputTokens`. */
export interface CallBounds {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** The most a token-priced call can cost, in nano-dollars. Tokens count at the dearest rate of their direction. */
export function worstCaseOfCall(bounds: CallBounds, price: Price): NanoUsd {
  return (
    divideUp(BigInt(bounds.promptTokens) * dearestInput(price), TOKENS_PER_PRICE) +
    divideUp(BigInt(bounds.outputTokens) * dearestOutput(price), TOKENS_PER_PRICE) +
    (price.per_request ?? 0n) +
    roundingRoom(bounds, price)
  );
}

/** The most a call can cost whose usage stays within `bound`, whatever it is counted in. */
export function worstCaseOfUsage(bound: Usage, price: Price): NanoUsd {
  const rates = applyVariant(price, bound.variant);
  const { images, seconds, characters = 0 } = bound;
  const counted = costOfCall({ ...NO_USAGE, images, seconds, characters }, rates).total;
  const tokens = worstCaseOfCall(
    { promptTokens: bound.inputTokens, outputTokens: bound.outputTokens },
    { ...rates, per_request: 0n },
  );
  return counted + tokens;
}

/** Kinds of tokens are lines that round up each on its own; all roundings but one of a direction are not in the sum above. */
function roundingRoom({ promptTokens, outputTokens }: CallBounds, price: Price): NanoUsd {
  const media = (image: PriceKey, audio: PriceKey) =>
    (price[image] === undefined ? 0n : 1n) + (price[audio] === undefined ? 0n : 1n);
  const input =
    promptTokens > 0 && dearestInput(price) > 0n
      ? 3n + media('image_input_per_million', 'audio_input_per_million')
      : 0n;
  const output = outputTokens > 0 ? media('image_output_per_million', 'audio_output_per_million') : 0n;
  return input + output;
}

/** How many output tokens an amount pays for after the prompt's worst case; `undefined` when output has no price of its own. */
export function outputTokensWithin(amount: NanoUsd, promptTokens: number, price: Price): number | undefined {
  if (!price.output_per_million) return undefined;
  const left = amount - worstCaseOfCall({ promptTokens, outputTokens: 0 }, price);
  if (left <= 0n) return 0;
  return Number((left * TOKENS_PER_PRICE) / dearestOutput(price));
}

function dearestInput(price: Price): NanoUsd {
  const input = price.input_per_million ?? 0n;
  const write = price.cache_write_per_million ?? input;
  const rates = [
    input,
    price.cached_input_per_million ?? input,
    write,
    price.cache_write_1h_per_million ?? write,
    price.image_input_per_million ?? input,
    price.audio_input_per_million ?? input,
  ];
  return rates.reduce((dearest, rate) => (rate > dearest ? rate : dearest));
}

function dearestOutput(price: Price): NanoUsd {
  const output = price.output_per_million ?? 0n;
  const rates = [price.image_output_per_million ?? output, price.audio_output_per_million ?? output];
  return rates.reduce((dearest, rate) => (rate > dearest ? rate : dearest), output);
}
