import type { ExchangeTraits, ReasoningEffort } from '@mg/protocols';
import { defineLookAlike } from '../look-alike.js';
import { listOpenAiExchanges } from '../openai-exchanges.js';

/** Efforts by model; a model that is not listed refuses the parameter. */
const EFFORTS: readonly (readonly [RegExp, readonly ReasoningEffort[]])[] = [
  [/^grok-3-mini/, ['low', 'high']],
  [/^grok-4\.3/, ['none', 'low', 'medium', 'high']],
  [/^grok-(?:4\.[5-9](?!\d)|[5-9])/, ['low', 'medium', 'high']],
];

/** Images are asked for by ratio, and those to work on are given by URL. */
const IMAGES: ExchangeTraits = {
  image: {
    sizeAs: 'aspect-ratio',
    imagesAs: 'objects',
    refuses: [
      'style',
      'background',
      'moderation',
      'output_format',
      'output_compression',
      'input_fidelity',
      'partial_images',
      'stream',
    ],
  },
};

/**
 * xAI.
 *
 * @see https://docs.x.ai/docs/api-reference
 */
export const xai = defineLookAlike({
  id: 'xai',
  telemetryName: 'x_ai',
  title: 'xAI',
  defaultBaseUrl: 'https://api.x.ai/v1',
  environmentKey: 'XAI_API_KEY',
  priceSource: 'x-ai',
  otherExchanges: listOpenAiExchanges(['image-generation', 'image-edit'], { traits: () => IMAGES }),
  traits: (model) => ({
    maxTokensField: 'max_completion_tokens',
    reasoningField: 'reasoning_content',
    efforts: EFFORTS.find(([pattern]) => pattern.test(model))?.[1] ?? [],
  }),
  models: [
    { slug: 'grok-4.6', kind: 'chat' },
    { slug: 'grok-4.3', kind: 'chat' },
    { slug: 'grok-imagine-image', kind: 'image', price: { per_image: '0.02' } },
  ],
});
