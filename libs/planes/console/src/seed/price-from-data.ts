import { formatUsd, parseUsd, type PriceKey, type PriceSheet, type ToolFee } from '@mg/contract';
import { calcPrice, type ModelPrice, type TieredPrices } from '@pydantic/genai-prices';

/** The data that prices are seeded from, and the day its version was published. */
const PRICE_DATA = { name: '@pydantic/genai-prices', version: '0.1.8', publishedOn: '2026-09-23' } as const;

/** `source` of every price version seeded from the data. */
export const PRICE_DATA_SOURCE = `${PRICE_DATA.name} ${PRICE_DATA.version} (${PRICE_DATA.publishedOn})`;

/** Whether a price version came from this data, of whatever version. */
export function isPriceDataSource(source: string): boolean {
  return source.startsWith(`${PRICE_DATA.name} `);
}

const KEYS: Readonly<Record<string, PriceKey>> = {
  input_mtok: 'input_per_million',
  cache_read_mtok: 'cached_input_per_million',
  cache_write_mtok: 'cache_write_per_million',
  cache_write_1h_mtok: 'cache_write_1h_per_million',
  output_mtok: 'output_per_million',
};

/** Fees that the data reports for a thousand uses of a tool that the provider runs. */
const TOOL_KEYS: Readonly<Record<string, ToolFee>> = {
  web_searches_kcount: 'per_web_search',
  storage_searches_kcount: 'per_file_search',
};
const USES = 1_000n;

const SECONDS_KEYS: ReadonlySet<string> = new Set(['audio_hours', 'input_audio_hours']);
const MINUTES_PER_HOUR = 60n;

/** A price, with the most tokens of a prompt where the data knows them. */
interface FoundPrice {
  readonly price: PriceSheet;
  readonly contextWindow?: number;
}

type DataPrice = FoundPrice | { readonly refused: string };

/**
 * The price of a provider's model at a moment, in our terms and exactly, or why there is none: a price that our sheet
 * cannot express is refused rather than guessed.
 */
export function findDataPrice(providerId: string, model: string, at: Date): DataPrice {
  const found = calcPrice({ input_tokens: 0 }, model, { providerId, timestamp: at });
  if (!found) return { refused: 'the data has no price for it' };
  const { prices, context_window: contextWindow } = found.model;
  if (Array.isArray(prices) && prices.some((price) => price.constraint?.type === 'time_of_date')) {
    return { refused: 'its price depends on the time of day' };
  }
  const sheet = toPriceSheet(found.model_price);
  return 'refused' in sheet || contextWindow === undefined ? sheet : { ...sheet, contextWindow };
}

/** Turns the data's prices into a sheet of decimal strings. */
export function toPriceSheet(prices: ModelPrice): DataPrice {
  const given = Object.entries(prices).filter((entry): entry is Priced => entry[1] !== undefined);
  const steps = given.flatMap(([, value]) => (typeof value === 'number' ? [] : value.tiers));
  const starts = new Set(steps.map(({ start }) => start));
  if (starts.size > 1) return { refused: 'its rates change more than once with the length of the prompt' };
  const [start] = starts;
  const base = toRates(given.map(([name, value]) => [name, typeof value === 'number' ? value : value.base]));
  if ('refused' in base || start === undefined) return base;
  const long = toRates(
    given.flatMap(([name, value]): [string, number][] =>
      typeof value === 'number' ? [] : value.tiers.map(({ price }) => [name, price]),
    ),
  );
  if ('refused' in long) return long;
  return { price: { ...base.price, long_context: { above_tokens: start, ...long.price } } };
}

type Priced = [string, number | TieredPrices];

function toRates(prices: readonly (readonly [string, number])[]): DataPrice {
  const sheet: PriceSheet = {};
  for (const [name, value] of prices) {
    const amount = readAmount(value);
    if (amount === undefined) return { refused: `${name} is no exact amount: ${value}` };
    const [key, share] = findMeter(name);
    if (key === undefined || amount % share !== 0n) {
      return { refused: `${name} is a price that no meter counts` };
    }
    sheet[key] = formatUsd(amount / share);
  }
  return Object.keys(sheet).length === 0 ? { refused: 'the data has no price for it' } : { price: sheet };
}

/** The meter behind a name of the data, and how many of its units the data's price is for. */
function findMeter(name: string): [PriceKey | undefined, bigint] {
  const fee = TOOL_KEYS[name];
  if (fee !== undefined) return [fee, USES];
  return SECONDS_KEYS.has(name) ? ['per_minute', MINUTES_PER_HOUR] : [KEYS[name], 1n];
}

/** The decimal that the data's author wrote: a number prints as the shortest text that reads back the same. */
function readAmount(value: number): bigint | undefined {
  try {
    const amount = parseUsd(String(value));
    return amount < 0n ? undefined : amount;
  } catch {
    return undefined;
  }
}
