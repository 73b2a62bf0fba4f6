import type { ExchangeTraits, TraitsOf } from '@mg/protocols';
import { defineLookAlike } from '../look-alike.js';
import { listOpenAiExchanges } from '../openai-exchanges.js';
import { isSwitchable, switchReasoning } from './switch-reasoning.js';

/** Sizes are two numbers there, and `base64` has a name of its own. */
const IMAGES: ExchangeTraits = {
  image: {
    sizeAs: 'width-height',
    base64Word: 'base64',
    refuses: [
      'quality',
      'style',
      'background',
      'moderation',
      'output_compression',
      'input_fidelity',
      'partial_images',
      'stream',
      'user',
    ],
  },
};

/**
 * Together AI: open models under `maker/model`. They think in `reasoning`, some by effort, some by a switch.
 *
 * @see https://docs.together.ai/docs/inference/chat/reasoning
 */
export const togetherai = defineLookAlike({
  id: 'togetherai',
  title: 'Together AI',
  otherExchanges: listOpenAiExchanges(['image-generation'], { traits: () => IMAGES }),
  exchanges: ['embeddings', 'rerank', 'transcription', 'translation', 'speech'],
  defaultBaseUrl: 'https://api.together.ai/v1',
  environmentKey: 'TOGETHER_API_KEY',
  priceSource: 'together',
  traits: readTraits,
  adapt: switchReasoning,
  models: [
    { slug: 'meta-llama/Llama-3.3-70B-Instruct-Turbo', kind: 'chat', contextWindow: 131_072 },
    {
      slug: 'openai/gpt-oss-120b',
      kind: 'chat',
      contextWindow: 131_072,
      price: { input_per_million: '0.15', output_per_million: '0.6' },
    },
    {
      slug: 'openai/gpt-oss-20b',
      kind: 'chat',
      contextWindow: 131_072,
      price: { input_per_million: '0.05', output_per_million: '0.2' },
    },
  ],
});

function readTraits(model: string): TraitsOf<'openai-chat'> {
  const shared: TraitsOf<'openai-chat'> = {
    reasoningField: 'reasoning',
    userField: 'none',
    supportsMaxCompletionTokens: false,
  };
  if (model.includes('gpt-oss')) return { ...shared, efforts: ['low', 'medium', 'high'] };
  return { ...shared, efforts: isSwitchable(model) ? ['none', 'medium'] : [] };
}
