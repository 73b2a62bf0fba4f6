import type { ExchangeTraits } from '@mg/protocols';
import type { ExchangeSurface, ModelCard } from '../descriptor.js';

const TRAITS: ExchangeTraits = {
  image: {
    maxCount: 1,
    imagesAs: 'texts',
    refuses: [
      'n',
      'quality',
      'style',
      'background',
      'moderation',
      'output_format',
      'output_compression',
      'input_fidelity',
      'partial_images',
      'stream',
      'user',
      // A series has as many images as the model likes; their cost is not known beforehand.
      'sequential_image_generation',
      'sequential_image_generation_options',
    ],
  },
};

const shared: Pick<ExchangeSurface, 'protocol' | 'path' | 'authorize' | 'traits'> = {
  protocol: 'openai-images',
  path: () => '/images/generations',
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  traits: () => TRAITS,
};

/**
 * Seedream: makes and edits images at one path, asked much like OpenAI. Its own members, such as `watermark`, go through.
 * Its stream returns images of a series one by one, each of them whole (`image_generation.partial_succeeded`), and no previews: for
 * the one image of a request there is nothing to gain, so it is asked for the whole.
 *
 * @see https://www.volcengine.com/docs/82379/1541523
 */
export const seedreamSurfaces: readonly ExchangeSurface[] = [
  { ...shared, operation: 'image-generation' },
  { ...shared, operation: 'image-edit' },
];

/**
 * The prices are those in dollars of the same models outside China.
 *
 * @see https://docs.byteplus.com/en/docs/ModelArk/1544106
 */
export const seedreamModels: readonly ModelCard[] = [
  { slug: 'doubao-seedream-5-0-260128', kind: 'image', price: { per_image: '0.035' } },
  { slug: 'doubao-seedream-4-5-251128', kind: 'image', price: { per_image: '0.04' } },
  { slug: 'doubao-seedream-4-0-250828', kind: 'image', price: { per_image: '0.03' } },
];
