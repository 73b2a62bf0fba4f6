import type { ReasoningEffort } from '@mg/protocols';
import { defineLookAlike } from '../look-alike.js';
import { adaptToMistral } from './adapt-to-mistral.js';

const SWITCHABLE = /^mistral-(?:small-(?:26\d\d|latest)|medium-(?:3-5|latest))/;
const EFFORTS: readonly ReasoningEffort[] = ['none', 'high'];

/**
 * Mistral. It refuses fields that it does not know, reports the usage of a stream unasked, and answers with parts where
 * OpenAI has text, and with calls that have no type.
 *
 * @see https://docs.mistral.ai/api
 */
export const mistral = defineLookAlike({
  id: 'mistral',
  telemetryName: 'mistral_ai',
  title: 'Mistral',
  exchanges: ['embeddings', 'moderation', 'transcription'],
  defaultBaseUrl: 'https://api.mistral.ai/v1',
  environmentKey: 'MISTRAL_API_KEY',
  priceSource: 'mistral',
  adapt: adaptToMistral,
  traits: (model) => ({
    supportsStreamUsage: false,
    supportsLaterSystemTurns: false,
    userField: 'none',
    supportsMaxCompletionTokens: false,
    needsResponseConversion: true,
    efforts: SWITCHABLE.test(model) ? EFFORTS : [],
  }),
  models: [
    { slug: 'mistral-large-2512', kind: 'chat', maxOutputTokens: 262_144 },
    { slug: 'mistral-medium-3-5', kind: 'chat', maxOutputTokens: 262_144 },
    { slug: 'mistral-small-2603', kind: 'chat', maxOutputTokens: 262_144 },
    { slug: 'codestral-2508', kind: 'chat', maxOutputTokens: 256_000 },
    { slug: 'mistral-embed', kind: 'embedding', price: { input_per_million: '0.1' } },
  ],
});
