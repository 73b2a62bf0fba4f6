import type { ExchangeTraits, ImageTraits } from '@mg/protocols';

/** Members that models before GPT Image do not know. */
const SINCE_GPT_IMAGE = [
  'background',
  'moderation',
  'output_format',
  'output_compression',
  'input_fidelity',
  'partial_images',
  'stream',
];

/** How models of OpenAI that make images differ, by name. The first that matches counts; others take everything. */
const MODELS: readonly (readonly [RegExp, ImageTraits])[] = [
  [/gpt-image/, { refuses: ['response_format', 'style'] }],
  [/dall-e-3/, { maxCount: 1, refuses: SINCE_GPT_IMAGE }],
  [/dall-e-2/, { refuses: ['style', ...SINCE_GPT_IMAGE] }],
];

/**
 * How a model of OpenAI that makes images differs from its siblings.
 *
 * @see https://platform.openai.com/docs/api-reference/images/create
 */
export function readOpenAiImageTraits(model: string): ExchangeTraits {
  return { image: MODELS.find(([name]) => name.test(model))?.[1] ?? {} };
}
