/** What images cost, in USD: by tokens, or each by its size and quality. The odd figures make every line round. */
export const IMAGE_PRICE = {
  input_per_million: '5.000000001',
  image_input_per_million: '10.000000003',
  output_per_million: '40.000000007',
} as const;
export const DALLE_PRICE = {
  per_image: '0.04',
  variants: {
    hd: { per_image: '0.08' },
    '1024x1792': { per_image: '0.080000001' },
    '1024x1792/hd': { per_image: '0.12' },
  },
} as const;

/** Slug and price of each model, and its name at the fake upstream, by which the fake knows what it may be asked. */
const MODELS = [
  { slug: 'paint-gpt', upstream: 'gpt-image-1', price: IMAGE_PRICE },
  { slug: 'paint-huge', upstream: 'gpt-image-huge', price: IMAGE_PRICE },
  { slug: 'paint-dalle', upstream: 'dall-e-3', price: DALLE_PRICE },
  { slug: 'paint-empty', upstream: 'empty-images', price: DALLE_PRICE },
  { slug: 'paint-failing', upstream: 'error-500', price: DALLE_PRICE },
] as const;
/** Served by a channel that has no variations, too, which is asked first. */
const VARIED_MODEL = {
  slug: 'paint-varied',
  price: { per_image: '0.02', variants: { '512x512': { per_image: '0.018000001' } } },
} as const;
const GEMINI_MODEL = { slug: 'paint-gemini', price: IMAGE_PRICE } as const;

export function listImageChannels(upstreamUrl: string, channel: object): object[] {
  return [
    {
      ...channel,
      name: 'images-openai',
      type: 'openai-compatible',
      base_url: `${upstreamUrl}/v1`,
      models: {
        ...Object.fromEntries(MODELS.map(({ slug, upstream }) => [slug, upstream])),
        [VARIED_MODEL.slug]: 'dall-e-2',
      },
    },
    {
      ...channel,
      name: 'images-gemini',
      type: 'gemini',
      base_url: `${upstreamUrl}/v1beta`,
      models: { [GEMINI_MODEL.slug]: 'gemini-3.1-flash-image' },
    },
    {
      ...channel,
      name: 'images-gemini-first',
      type: 'gemini',
      base_url: `${upstreamUrl}/v1beta`,
      models: { [VARIED_MODEL.slug]: 'gemini-3.1-flash-image' },
      priority: 1,
    },
  ];
}

export function listImageModels(): object[] {
  return [...MODELS, VARIED_MODEL, GEMINI_MODEL].map(({ slug, price }) => ({ slug, kind: 'image', price }));
}
