import { parseUsd } from '@mg/contract';

/** Tokens that a prompt of the chat models may have. */
export const CONTEXT = 128_000;
/** Tokens that an answer of the chat models may have. */
export const LONGEST_ANSWER = 8_192;

const TOKENS_PER_PRICE = 1_000_000n;

/** Prices of the models of this attack, in USD. What is written to a cache for an hour is their most expensive input. */
export const CHAT_PRICE = {
  input_per_million: '0.5',
  cache_write_1h_per_million: '1',
  output_per_million: '2',
  per_web_search: '0.01',
  per_file_search: '0.0025',
  per_code_session: '0.03',
  tiers: {
    priority: { input_per_million: '1', cache_write_1h_per_million: '2', output_per_million: '4' },
  },
} as const;
export const PLAIN_CHAT_PRICE = { input_per_million: '0.5', output_per_million: '2' } as const;
export const EMBEDDING_PRICE = { input_per_million: '2' } as const;
export const IMAGE_TOKEN_PRICE = {
  input_per_million: '5',
  image_input_per_million: '10',
  output_per_million: '40',
} as const;
export const IMAGE_PRICE = {
  per_image: '0.04',
  variants: {
    low: { per_image: '0.01' },
    hd: { per_image: '0.08' },
    '1024x1792/hd': { per_image: '0.12' },
  },
} as const;
export const MINUTE_PRICE = { per_minute: '0.06' } as const;
export const CHARACTER_PRICE = { per_million_characters: '15' } as const;
export const REQUEST_PRICE = { per_request: '0.02' } as const;
export const SECOND_PRICE = {
  per_second: '0.01',
  variants: { '1080p': { per_second: '0.025' }, video: { per_second: '0.03' } },
} as const;

export const REALTIME_PRICE = {
  input_per_million: '0.5',
  audio_input_per_million: '2',
  output_per_million: '2',
  audio_output_per_million: '10',
} as const;

/** What so many tokens cost, in nano-dollars, rounded up. */
export function costOfTokens(tokens: number, perMillion: string): bigint {
  return (BigInt(tokens) * parseUsd(perMillion) + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE;
}

/** What so many units cost, in nano-dollars. */
export function costOfUnits(units: number, price: string): bigint {
  return BigInt(units) * parseUsd(price);
}
