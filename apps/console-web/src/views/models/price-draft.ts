import type { Price } from '../../api/console-api.js';
import { parseJsonObject } from '../../api/parse-json-object.js';
import type { BodyOf } from '../../api/routes.js';

const CHAT_RATES = [
  'input_per_million',
  'cached_input_per_million',
  'cache_write_per_million',
  'output_per_million',
  'per_request',
  'per_web_search',
  'per_file_search',
  'per_code_session',
  'batch_share',
  'cache_share',
];

/** Rates that a form asks for, by the kind of model; others stay as they are. */
const RATES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  chat: CHAT_RATES,
  embedding: ['input_per_million', 'per_request', 'cache_share'],
  image: [
    'per_image',
    'input_per_million',
    'image_input_per_million',
    'image_output_per_million',
    'cache_share',
  ],
  transcription: ['per_minute', 'audio_input_per_million', 'input_per_million', 'output_per_million'],
  speech: ['per_million_characters', 'input_per_million', 'audio_output_per_million', 'cache_share'],
  realtime: [
    'input_per_million',
    'cached_input_per_million',
    'audio_input_per_million',
    'image_input_per_million',
    'output_per_million',
    'audio_output_per_million',
  ],
  video: ['per_second'],
};

/** Parts of a price that hold for some calls alone. They are written as JSON. */
const PRICE_PARTS = ['long_context', 'tiers', 'variants'] as const;

export type PricePart = (typeof PRICE_PARTS)[number];

/** Parts that a form asks for, by the kind of model. */
const PARTS_BY_KIND: Readonly<Record<string, readonly PricePart[]>> = {
  chat: ['long_context', 'tiers'],
  image: ['variants'],
  video: ['variants'],
};

/** A price sheet as it is written in a form. */
export interface PriceDraft {
  readonly rates: Readonly<Record<string, string>>;
  /** JSON. */
  readonly parts: Readonly<Partial<Record<PricePart, string>>>;
}

/** A price as the API takes it; what is written in it is the API's to check. */
type PriceInput = NonNullable<BodyOf<'/api/v1/models', 'post'>['price']>;

/** Names of the rates that a form shows: those of the kind, and whatever has a price already. */
export function listRates(kind: string, price: Price | null): readonly string[] {
  const set = Object.entries(price ?? {}).flatMap(([key, rate]) => (typeof rate === 'string' ? [key] : []));
  return [...new Set([...(RATES_BY_KIND[kind] ?? ['per_request', 'cache_share']), ...set])];
}

/** The parts that a form shows: those of the kind, and those that the price has already. */
export function listParts(kind: string, price: Price | null): readonly PricePart[] {
  return PRICE_PARTS.filter((part) => PARTS_BY_KIND[kind]?.includes(part) || price?.[part] !== undefined);
}

export function toPriceDraft(price: Price | null): PriceDraft {
  const rates = Object.entries(price ?? {}).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string';
  });
  const parts = PRICE_PARTS.flatMap((part) => {
    const written = price?.[part];
    return written === undefined ? [] : [[part, JSON.stringify(written, null, 2)]];
  });
  return { rates: Object.fromEntries(rates), parts: Object.fromEntries(parts) };
}

/**
 * @param explain what to say when a part is no JSON object.
 * @throws Error of these words.
 */
export function toPriceSheet(draft: PriceDraft, explain: (part: PricePart) => string): PriceInput {
  const rates = Object.entries(draft.rates)
    .map(([key, rate]) => [key, rate.trim()] as const)
    .filter(([, rate]) => rate !== '');
  const parts = PRICE_PARTS.map((part) => {
    return [part, parseJsonObject(draft.parts[part] ?? '', explain(part))] as const;
  }).filter(([, written]) => Object.keys(written).length > 0);
  return { ...Object.fromEntries(rates), ...Object.fromEntries(parts) };
}
