import type { ModelCard } from '../descriptor.js';

const LIMITS = { maxOutputTokens: 65_536, contextWindow: 131_072 } as const;

/**
 * Models of the Live API. Images and video cost what they do beside audio.
 *
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @see https://ai.google.dev/gemini-api/docs/models
 */
export const liveModels: readonly ModelCard[] = [
  {
    slug: 'gemini-3.1-flash-live-preview',
    kind: 'realtime',
    ...LIMITS,
    price: {
      input_per_million: '0.75',
      audio_input_per_million: '3',
      image_input_per_million: '1',
      output_per_million: '4.5',
      audio_output_per_million: '12',
    },
  },
  {
    slug: 'gemini-2.5-flash-native-audio-preview-12-2025',
    kind: 'realtime',
    ...LIMITS,
    maxOutputTokens: 8_192,
    price: {
      input_per_million: '0.5',
      audio_input_per_million: '3',
      image_input_per_million: '3',
      output_per_million: '2',
      audio_output_per_million: '12',
    },
  },
];
