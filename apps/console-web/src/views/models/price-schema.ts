import * as z from 'zod/mini';
import type { Price } from '../../api/console-api.js';
import type { BodyOf } from '../../api/routes.js';
import { jsonObject, orNothing, price as usdPrice, share } from '../../forms/texts.js';

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

/** A price sheet as it is written in a form: its rates, and its parts as JSON. */
type PriceTexts = Readonly<Record<string, string>>;

/** Every rate and part that a form may show. */
const NO_PRICE: PriceTexts = Object.fromEntries(
  [...Object.values(RATES_BY_KIND).flat(), ...PRICE_PARTS].map((name) => [name, '']),
);

export function toPriceTexts(price: Price | null): PriceTexts {
  const set = Object.entries(price ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  ]);
  return { ...NO_PRICE, ...Object.fromEntries(set) };
}

const rate = orNothing(usdPrice, undefined);
const rateShare = orNothing(share, undefined);

/** An object without anything in it is as good as none. */
const part = z.pipe(
  orNothing(jsonObject, {}),
  z.transform((written) => (Object.keys(written).length === 0 ? undefined : written)),
);

/** What a form's fields of a price may hold; what is empty is not sold so. Which calls a part is for is the API's to check. */
export function priceSchema(kind: string, set: Price | null): z.ZodMiniType<PriceInput, PriceTexts> {
  const fields: Record<string, z.ZodMiniType<unknown, string>> = {};
  for (const name of listRates(kind, set)) fields[name] = name.endsWith('_share') ? rateShare : rate;
  for (const name of listParts(kind, set)) fields[name] = part;
  return z.pipe(
    z.object(fields),
    z.transform((sheet) => sheet as PriceInput),
  );
}
