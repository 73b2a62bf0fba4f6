import type { ModelCard } from '../descriptor.js';

/**
 * Models that are spoken with. What was cached costs the same whether it is text or audio.
 *
 * @see https://platform.openai.com/docs/pricing
 */
export const realtimeModels: readonly ModelCard[] = [
  {
    slug: 'gpt-realtime',
    kind: 'realtime',
    maxOutputTokens: 4_096,
    contextWindow: 32_000,
    price: {
      input_per_million: '4',
      cached_input_per_million: '0.4',
      audio_input_per_million: '32',
      image_input_per_million: '5',
      output_per_million: '16',
      audio_output_per_million: '64',
    },
  },
  {
    slug: 'gpt-realtime-mini',
    kind: 'realtime',
    maxOutputTokens: 4_096,
    contextWindow: 32_000,
    price: {
      input_per_million: '0.6',
      cached_input_per_million: '0.3',
      audio_input_per_million: '10',
      image_input_per_million: '0.8',
      output_per_million: '2.4',
      audio_output_per_million: '20',
    },
  },
];
