import type { ReasoningEffort, TraitsOf } from '@mg/protocols';
import { defineLookAlike } from '../look-alike.js';

/** Efforts that models know, by name. The first that matches counts; others do not think. */
const EFFORTS: readonly (readonly [RegExp, readonly ReasoningEffort[]])[] = [
  [/gpt-oss|kimi-k|minimax-m/, ['low', 'medium', 'high']],
  [/glm-5p[3-9]/, ['none', 'low', 'high', 'max']],
  [/glm-5/, ['none', 'high', 'max']],
  [/deepseek-v[4-9]/, ['none', 'low', 'medium', 'high', 'xhigh']],
];

/**
 * Fireworks AI: open models as `accounts/fireworks/models/<model>`. A prompt that leaves less room than the caller's limit
 * gets a shorter answer instead of an error, unless the caller says otherwise.
 *
 * @see https://docs.fireworks.ai/tools-sdks/openai-compatibility
 */
export const fireworks = defineLookAlike({
  id: 'fireworks',
  title: 'Fireworks AI',
  defaultBaseUrl: 'https://api.fireworks.ai/inference/v1',
  versionPath: '/inference/v1',
  environmentKey: 'FIREWORKS_API_KEY',
  priceSource: 'fireworks',
  exchanges: ['embeddings', 'rerank'],
  traits: readTraits,
  models: [
    { slug: 'accounts/fireworks/models/kimi-k2p6', kind: 'chat', contextWindow: 262_144 },
    { slug: 'accounts/fireworks/models/glm-5p2', kind: 'chat', contextWindow: 1_048_576 },
    { slug: 'accounts/fireworks/models/deepseek-v4-pro', kind: 'chat' },
    { slug: 'accounts/fireworks/models/gpt-oss-120b', kind: 'chat' },
  ],
});

function readTraits(model: string): TraitsOf<'openai-chat'> {
  const [, efforts = []] = EFFORTS.find(([name]) => name.test(model)) ?? [];
  return { reasoningField: 'reasoning_content', efforts };
}
