import { divideUp, type NanoUsd, type Price, type PriceKey, type UnitPrices, type Usage } from '@mg/contract';
import { chooseRates } from './choose-rates.js';

const PER_MILLION = 1_000_000n;
const SECONDS_PER_MINUTE = 60n;

/** One line of a call's bill: `amount = ceil(quantity x unitPrice / per)`, in nano-dollars. */
export interface CostLine {
  readonly meter: PriceKey;
  readonly quantity: number;
  readonly unitPrice: NanoUsd;
  readonly per: bigint;
  readonly amount: NanoUsd;
}

export interface Cost {
  readonly total: NanoUsd;
  readonly lines: readonly CostLine[];
}

/**
 * The bill of a call: each line rounded up to the nano-dollar once, the total their sum. The rates are those of the variant
 * and the service tier that the usage names, and of the length of its prompt.
 *
 * Cached and cache-writing tokens are input tokens: where the price has no rate of their own, the input rate holds.
 * Those written for an hour fall back to the rate of the others first. Tokens of images and audio are a line of their
 * own where the price has a rate for them. A flat `per_request` price needs no token rates.
 */
export function costOfCall(usage: Usage, price: Price): Cost {
  const { variant, tier, inputTokens, fromCache } = usage;
  return billUsage(usage, chooseRates(price, { variant, tier, promptTokens: inputTokens, fromCache }));
}

/** The bill of a call at rates that have been chosen. */
export function billUsage(usage: Usage, rates: UnitPrices<NanoUsd>): Cost {
  const lines = [
    ...inputLines(usage, rates),
    ...outputLines(usage, rates),
    line('per_million_characters', usage.characters ?? 0, rates.per_million_characters, PER_MILLION),
    line('per_image', usage.images, rates.per_image, 1n),
    line('per_second', usage.seconds, rates.per_second, 1n),
    line('per_minute', usage.seconds, rates.per_minute, SECONDS_PER_MINUTE),
    line('per_request', 1, rates.per_request, 1n),
    line('per_web_search', usage.webSearches ?? 0, rates.per_web_search, 1n),
    line('per_file_search', usage.fileSearches ?? 0, rates.per_file_search, 1n),
    line('per_code_session', usage.codeSessions ?? 0, rates.per_code_session, 1n),
  ].filter((entry) => entry !== undefined);
  return { total: lines.reduce((sum, entry) => sum + entry.amount, 0n), lines };
}

function inputLines(usage: Usage, rates: UnitPrices<NanoUsd>): (CostLine | undefined)[] {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.inputTokens - cached);
  const writtenFor1h = Math.min(usage.cacheWrite1hTokens, written);
  const writeRate = rates.cache_write_per_million ?? rates.input_per_million;
  const fresh = usage.inputTokens - cached - written;
  const image =
    rates.image_input_per_million === undefined ? 0 : Math.min(usage.imageInputTokens ?? 0, fresh);
  const audio =
    rates.audio_input_per_million === undefined ? 0 : Math.min(usage.audioInputTokens ?? 0, fresh - image);
  return [
    line('input_per_million', fresh - image - audio, rates.input_per_million, PER_MILLION),
    line('image_input_per_million', image, rates.image_input_per_million, PER_MILLION),
    line('audio_input_per_million', audio, rates.audio_input_per_million, PER_MILLION),
    line(
      'cached_input_per_million',
      cached,
      rates.cached_input_per_million ?? rates.input_per_million,
      PER_MILLION,
    ),
    line('cache_write_per_million', written - writtenFor1h, writeRate, PER_MILLION),
    line(
      'cache_write_1h_per_million',
      writtenFor1h,
      rates.cache_write_1h_per_million ?? writeRate,
      PER_MILLION,
    ),
  ];
}

function outputLines(usage: Usage, rates: UnitPrices<NanoUsd>): (CostLine | undefined)[] {
  const all = usage.outputTokens;
  const image =
    rates.image_output_per_million === undefined ? 0 : Math.min(usage.imageOutputTokens ?? 0, all);
  const audio =
    rates.audio_output_per_million === undefined ? 0 : Math.min(usage.audioOutputTokens ?? 0, all - image);
  return [
    line('output_per_million', all - image - audio, rates.output_per_million, PER_MILLION),
    line('image_output_per_million', image, rates.image_output_per_million, PER_MILLION),
    line('audio_output_per_million', audio, rates.audio_output_per_million, PER_MILLION),
  ];
}

function line(
  meter: PriceKey,
  quantity: number,
  unitPrice: NanoUsd | undefined,
  per: bigint,
): CostLine | undefined {
  if (quantity <= 0 || unitPrice === undefined || unitPrice === 0n) return undefined;
  return { meter, quantity, unitPrice, per, amount: divideUp(BigInt(quantity) * unitPrice, per) };
}
