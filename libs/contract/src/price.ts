import { z } from 'zod';
import { formatUsd, type NanoUsd, parseUsd } from './money.js';
import { REFUSALS } from './refusals.js';

/** What can be charged for, by the name it has in the configuration file and in the database. */
export const PRICE_KEYS = [
  'input_per_million',
  'cached_input_per_million',
  'cache_write_per_million',
  'cache_write_1h_per_million',
  'image_input_per_million',
  'audio_input_per_million',
  'output_per_million',
  'image_output_per_million',
  'audio_output_per_million',
  'per_million_characters',
  'per_image',
  'per_second',
  'per_minute',
  'per_request',
  'per_web_search',
  'per_file_search',
  'per_code_session',
] as const;

export type PriceKey = (typeof PRICE_KEYS)[number];

/** Fees for one use of a tool that the provider runs. */
export const TOOL_FEES = ['per_web_search', 'per_file_search', 'per_code_session'] as const;

export type ToolFee = (typeof TOOL_FEES)[number];

/** Service tier of work that the provider does later, at a share of its price. */
export const BATCH_TIER = 'batch';

/** Undefined is the same as absent: validated sheets have it. */
export type UnitPrices<Amount> = Partial<Record<PriceKey, Amount | undefined>>;

/** Rates of calls whose prompt has more than `above_tokens` tokens, all kinds of input tokens together. */
export type LongContextRates<Amount> = UnitPrices<Amount> & { readonly above_tokens: number };

/** Unit prices that may depend on the length of the prompt. */
export type Rates<Amount> = UnitPrices<Amount> & { long_context?: LongContextRates<Amount> | undefined };

/**
 * Unit prices as decimal USD strings: how they are written, stored and shown.
 *
 * A variant has its own rates for some meters: a video's resolution (`1080p`), an image's quality and size (`high`,
 * `1024x1024`, `1024x1024/high`). So has a service tier (`priority`, `flex`, `batch`): the meters that it does not name
 * cost what the model asks. `batch_share` is the share of the model's rates that the tier `batch` costs, such as "0.5".
 * `cache_share` is the share of all rates that a call costs whose answer comes out of the gateway's cache; nothing when absent.
 */
export type PriceSheet = Rates<string> & {
  variants?: Record<string, UnitPrices<string>> | undefined;
  tiers?: Record<string, Rates<string>> | undefined;
  batch_share?: string | undefined;
  cache_share?: string | undefined;
};

/** Unit prices in nano-dollars: how they are calculated with. A missing key has no price; it is not free. */
export type Price = Rates<NanoUsd> & {
  variants?: ReadonlyMap<string, UnitPrices<NanoUsd>>;
  tiers?: ReadonlyMap<string, Rates<NanoUsd>>;
  /** In billionths: 500_000_000n is one half. */
  batchShare?: bigint;
  cacheShare?: bigint;
};

/** A price with the version that pins it to a call from admission to settlement. */
export interface PinnedPrice {
  readonly versionId: string;
  /** From this moment on the version is in force, as milliseconds since the epoch. */
  readonly effectiveFrom: number;
  readonly price: Price;
}

/** A price beyond a million is a slip of the pen, and with it the cost of a call leaves the range of Postgres's bigint. */
const usdPrice = z.string().regex(/^\d{1,6}(\.\d{1,9})?$/, REFUSALS.no_price);

const unitPrices = Object.fromEntries(PRICE_KEYS.map((key) => [key, usdPrice.optional()])) as Record<
  PriceKey,
  z.ZodOptional<typeof usdPrice>
>;

/** Files of prices are read without numbers, so that no amount is rounded: there a count is a text of digits. */
const tokenCount = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,8}$/)], REFUSALS.no_token_count)
  .transform(Number);

const rates = {
  ...unitPrices,
  long_context: z.strictObject({ above_tokens: tokenCount, ...unitPrices }).optional(),
};

const name = z.string().min(1).max(64);

const share = z.string().regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, REFUSALS.no_share);

/** Schema of a price sheet in the configuration file and in the Console's API. */
export const priceSheetSchema = z.strictObject({
  ...rates,
  variants: z.record(name, z.strictObject(unitPrices)).optional(),
  tiers: z.record(name, z.strictObject(rates)).optional(),
  batch_share: share.optional(),
  cache_share: share.optional(),
});

/** Reads a price sheet. @throws RangeError when an amount is not a decimal. */
export function parsePrice(sheet: PriceSheet): Price {
  const price: Price = parseRates(sheet);
  const variants = mapValues(sheet.variants ?? {}, parseUnitPrices);
  if (variants.size > 0) price.variants = variants;
  const tiers = mapValues(sheet.tiers ?? {}, parseRates);
  if (tiers.size > 0) price.tiers = tiers;
  if (sheet.batch_share !== undefined) price.batchShare = parseUsd(sheet.batch_share);
  if (sheet.cache_share !== undefined) price.cacheShare = parseUsd(sheet.cache_share);
  return price;
}

/** Writes a price as the sheet that it was read from. */
export function writePrice(price: Price): PriceSheet {
  const sheet: PriceSheet = writeRates(price);
  if (price.variants) sheet.variants = writeValues(price.variants, writeUnitPrices);
  if (price.tiers) sheet.tiers = writeValues(price.tiers, writeRates);
  if (price.batchShare !== undefined) sheet.batch_share = formatUsd(price.batchShare);
  if (price.cacheShare !== undefined) sheet.cache_share = formatUsd(price.cacheShare);
  return sheet;
}

/** The first of these variants that a price has rates for. */
export function chooseVariant(price: Price, candidates: readonly string[]): string | undefined {
  return candidates.find((name) => price.variants?.has(name));
}

/** The rates that hold for a variant: its own, and the model's where it has none. */
export function applyVariant(price: Price, variant: string | undefined): Price {
  const own = variant === undefined ? undefined : price.variants?.get(variant);
  return own ? { ...price, ...own } : price;
}

function mapValues<Written, Read>(
  record: Readonly<Record<string, Written>>,
  read: (written: Written) => Read,
): ReadonlyMap<string, Read> {
  return new Map(Object.entries(record).map(([key, value]) => [key, read(value)]));
}

function writeValues<Read, Written>(
  map: ReadonlyMap<string, Read>,
  write: (read: Read) => Written,
): Record<string, Written> {
  return Object.fromEntries([...map].map(([key, value]) => [key, write(value)]));
}

function parseRates(sheet: Rates<string>): Rates<NanoUsd> {
  const price: Rates<NanoUsd> = parseUnitPrices(sheet);
  if (sheet.long_context) {
    const { above_tokens } = sheet.long_context;
    price.long_context = { above_tokens, ...parseUnitPrices(sheet.long_context) };
  }
  return price;
}

function writeRates(price: Rates<NanoUsd>): Rates<string> {
  const sheet: Rates<string> = writeUnitPrices(price);
  if (price.long_context) {
    const { above_tokens } = price.long_context;
    sheet.long_context = { above_tokens, ...writeUnitPrices(price.long_context) };
  }
  return sheet;
}

function parseUnitPrices(rates: UnitPrices<string>): UnitPrices<NanoUsd> {
  const price: UnitPrices<NanoUsd> = {};
  for (const key of PRICE_KEYS) {
    const text = rates[key];
    if (text !== undefined) price[key] = parseUsd(text);
  }
  return price;
}

function writeUnitPrices(price: UnitPrices<NanoUsd>): UnitPrices<string> {
  const rates: UnitPrices<string> = {};
  for (const key of PRICE_KEYS) {
    const amount = price[key];
    if (amount !== undefined) rates[key] = formatUsd(amount);
  }
  return rates;
}
