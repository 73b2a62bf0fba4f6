import type { ModelCard } from '../descriptor.js';

/**
 * Models that make images. What was cached costs what the more expensive of cached text and cached images does.
 *
 * @see https://platform.openai.com/docs/pricing
 */
export const imageModels: readonly ModelCard[] = [
  {
    slug: 'gpt-image-2',
    kind: 'image',
    price: {
      input_per_million: '5',
      cached_input_per_million: '2',
      image_input_per_million: '8',
      output_per_million: '30',
    },
  },
  {
    slug: 'gpt-image-1.5',
    kind: 'image',
    price: {
      input_per_million: '5',
      cached_input_per_million: '2',
      image_input_per_million: '8',
      output_per_million: '10',
      image_output_per_million: '32',
    },
  },
  {
    slug: 'gpt-image-1',
    kind: 'image',
    price: {
      input_per_million: '5',
      cached_input_per_million: '2.5',
      image_input_per_million: '10',
      output_per_million: '40',
    },
  },
  {
    slug: 'gpt-image-1-mini',
    kind: 'image',
    price: {
      input_per_million: '2',
      cached_input_per_million: '0.25',
      image_input_per_million: '2.5',
      output_per_million: '8',
    },
  },
];
