/** USD for a million tokens that are written to the cache and stored for an hour. */
export const STORED_PRICE = '5';

const PRICE = {
  input_per_million: '1',
  cached_input_per_million: '0.25',
  output_per_million: '2',
} as const;

/** Models over two channels of Google that keep contents, behind one that does not; the last has no price for storage. */
const MODELS = [
  { slug: 'kept', price: { ...PRICE, cache_write_1h_per_million: STORED_PRICE } },
  { slug: 'kept-unpriced', price: PRICE },
] as const;

export function listCachedContentChannels(upstreamUrl: string, channel: object): object[] {
  const upstreamModels = Object.fromEntries(MODELS.map(({ slug }) => [slug, 'gemini-3.5-flash']));
  const google = { ...channel, type: 'gemini', base_url: `${upstreamUrl}/v1beta`, models: upstreamModels };
  return [
    { ...channel, name: 'keeps-nothing', models: { kept: 'plain' }, priority: 1 },
    { ...google, name: 'keeps-contents' },
    { ...google, name: 'keeps-contents-too' },
  ];
}

export function listCachedContentModels(): object[] {
  return MODELS.map((model) => ({ ...model, kind: 'chat', context_window: 100_000 }));
}
