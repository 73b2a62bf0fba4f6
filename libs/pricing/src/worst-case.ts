import {
  divideUp,
  type ModelKind,
  type NanoUsd,
  NO_USAGE,
  PRICE_KEYS,
  type Price,
  type PriceKey,
  type UnitPrices,
  type Usage,
} from '@mg/contract';
import { chooseRates } from './choose-rates.js';
import { billUsage } from './cost-of-call.js';

const TOKENS_PER_PRICE = 1_000_000n;

/** Prices that a call of a kind cannot do without; any one complete set is enough. A flat price above zero always is. */
const NEEDED: Record<ModelKind, readonly (readonly PriceKey[])[]> = {
  chat: [['input_per_million', 'output_per_million']],
  embedding: [['input_per_million']],
  image: [['per_image'], ['input_per_million', 'output_per_million']],
  transcription: [['per_minute'], ['input_per_million', 'output_per_million']],
  speech: [['per_million_characters'], ['input_per_million', 'output_per_million']],
  moderation: [['per_request'], ['input_per_million']],
  rerank: [['per_request'], ['input_per_million']],
  realtime: [
    ['input_per_million', 'output_per_million', 'audio_input_per_million', 'audio_output_per_million'],
  ],
  video: [['per_second']],
};

/** Whether a price covers what a call of this kind uses; without it the call is refused, never free. */
export function isPriced(kind: ModelKind, price: Price): boolean {
  if (price.per_request !== undefined && price.per_request > 0n) return true;
  return NEEDED[kind].some((keys) => keys.every((key) => price[key] !== undefined));
}

/** Prices that a call of this kind lacks, of the complete set that lacks the fewest; none where it is priced. */
export function listMissingPrices(kind: ModelKind, price: Price): readonly PriceKey[] {
  if (isPriced(kind, price)) return [];
  const lacking = NEEDED[kind].map((keys) => keys.filter((key) => price[key] === undefined));
  return lacking.toSorted((left, right) => left.length - right.length)[0] ?? [];
}

/** Meters that follow from the request alone. */
const KNOWN_FROM_REQUEST: ReadonlySet<PriceKey> = new Set(['per_million_characters', 'per_request']);

/** Whether what a call costs is known before anybody is asked, because nothing of its answer is charged for. */
export function isKnownBeforeCall(price: Price): boolean {
  if (price.tiers !== undefined) return false;
  return PRICE_KEYS.every((key) => price[key] === undefined || KNOWN_FROM_REQUEST.has(key));
}

/** What a token-priced call takes in, and what the provider does for it, at most. */
export interface PromptBounds {
  readonly promptTokens: number;
  readonly webSearches?: number;
  readonly fileSearches?: number;
  readonly codeSessions?: number;
  /** Service tiers that the call may be billed at, beside that of the model's own rates. The most expensive counts. */
  readonly tiers?: readonly string[];
}

/** Bounds of a token-priced call: no more of anything than they say. */
export interface CallBounds extends PromptBounds {
  readonly outputTokens: number;
}

/** The most a token-priced call can cost, in nano-dollars. Tokens count at the highest rate of their direction. */
export function worstCaseOfCall(bounds: CallBounds, price: Price): NanoUsd {
  return highest(listRates(price, bounds.promptTokens, bounds.tiers).map((rates) => boundAt(bounds, rates)));
}

/**
 * The most a call can cost whose usage stays within `bound`, whatever it is counted in.
 *
 * @param tiers service tiers that the call may be billed at, beside that of the model's own rates.
 */
export function worstCaseOfUsage(bound: Usage, price: Price, tiers: readonly string[] = []): NanoUsd {
  const { inputTokens, outputTokens, images, seconds, characters = 0 } = bound;
  const { webSearches = 0, fileSearches = 0, codeSessions = 0 } = bound;
  const counts = { images, seconds, characters };
  const tokens = { promptTokens: inputTokens, outputTokens, webSearches, fileSearches, codeSessions };
  return highest(
    listRates(price, inputTokens, tiers, bound.variant).map(
      (rates) =>
        billUsage({ ...NO_USAGE, ...counts }, rates).total + boundAt(tokens, { ...rates, per_request: 0n }),
    ),
  );
}

/** How many output tokens an amount pays for after the prompt's worst case; `undefined` when output has no price of its own. */
export function outputTokensWithin(amount: NanoUsd, bounds: PromptBounds, price: Price): number | undefined {
  const possible = listRates(price, bounds.promptTokens, bounds.tiers);
  if (possible.every((rates) => highestOutput(rates) === 0n)) return undefined;
  return Math.min(...possible.map((rates) => outputTokensAt(amount, bounds, rates)));
}

function outputTokensAt(amount: NanoUsd, bounds: PromptBounds, rates: UnitPrices<NanoUsd>): number {
  const rate = highestOutput(rates);
  const left = amount - boundAt({ ...bounds, outputTokens: 0 }, rates) - outputRoundingMargin(rates);
  if (left < 0n) return 0;
  return rate === 0n ? Number.MAX_SAFE_INTEGER : toCount((left * TOKENS_PER_PRICE) / rate);
}

/** Every set of rates that a call may be billed by: of each tier, for every length of the prompt at which the rates change. */
function listRates(
  price: Price,
  promptTokens: number,
  tiers: readonly string[] = [],
  variant?: string,
): UnitPrices<NanoUsd>[] {
  if (tiers.length === 0 && !price.long_context) return [chooseRates(price, { variant, promptTokens })];
  return [undefined, ...tiers].flatMap((tier) => {
    const ofTier = tier === undefined ? undefined : price.tiers?.get(tier);
    const limits = [price.long_context, ofTier?.long_context].flatMap((rates) => rates?.above_tokens ?? []);
    const lengths = limits.map((limit) => limit + 1).filter((length) => length < promptTokens);
    if (limits.length > 0) lengths.push(0);
    return [promptTokens, ...lengths].map((length) =>
      chooseRates(price, { variant, tier, promptTokens: length }),
    );
  });
}

/** A number holds no larger count exactly. */
function toCount(tokens: bigint): number {
  return tokens > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(tokens);
}

function boundAt(bounds: CallBounds, rates: UnitPrices<NanoUsd>): NanoUsd {
  const { webSearches = 0, fileSearches = 0, codeSessions = 0 } = bounds;
  const input = highestInput(rates);
  return (
    divideUp(BigInt(bounds.promptTokens) * input, TOKENS_PER_PRICE) +
    divideUp(BigInt(bounds.outputTokens) * highestOutput(rates), TOKENS_PER_PRICE) +
    BigInt(webSearches) * (rates.per_web_search ?? 0n) +
    BigInt(fileSearches) * (rates.per_file_search ?? 0n) +
    BigInt(codeSessions) * (rates.per_code_session ?? 0n) +
    (rates.per_request ?? 0n) +
    (bounds.promptTokens > 0 && input > 0n ? inputRoundingMargin(rates) : 0n) +
    (bounds.outputTokens > 0 ? outputRoundingMargin(rates) : 0n)
  );
}

/** Kinds of tokens are lines that round up each on its own; all roundings but one of a direction are not in the sum above. */
function inputRoundingMargin(rates: UnitPrices<NanoUsd>): NanoUsd {
  return 3n + countDefined(rates.image_input_per_million, rates.audio_input_per_million);
}

function outputRoundingMargin(rates: UnitPrices<NanoUsd>): NanoUsd {
  return countDefined(rates.image_output_per_million, rates.audio_output_per_million);
}

function countDefined(...amounts: readonly (NanoUsd | undefined)[]): bigint {
  return BigInt(amounts.filter((amount) => amount !== undefined).length);
}

function highestInput(rates: UnitPrices<NanoUsd>): NanoUsd {
  const input = rates.input_per_million ?? 0n;
  const write = rates.cache_write_per_million ?? input;
  return highest([
    input,
    rates.cached_input_per_million ?? input,
    write,
    rates.cache_write_1h_per_million ?? write,
    rates.image_input_per_million ?? input,
    rates.audio_input_per_million ?? input,
  ]);
}

function highestOutput(rates: UnitPrices<NanoUsd>): NanoUsd {
  return highest([
    rates.output_per_million ?? 0n,
    rates.image_output_per_million ?? 0n,
    rates.audio_output_per_million ?? 0n,
  ]);
}

function highest(amounts: readonly NanoUsd[]): NanoUsd {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
