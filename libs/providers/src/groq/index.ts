import type { TraitsOf } from '@mg/protocols';
import type { PublishedFees } from '../descriptor.js';
import { defineLookAlike } from '../look-alike.js';

/** Calls that may wait cost what the others do. */
const TIERS: PublishedFees = {
  page: 'https://console.groq.com/docs/flex-processing',
  seenOn: '2026-11-22',
  tiers: { flex: {} },
};

const WITH_SCHEMA = /gpt-oss|llama-4|kimi-k2/;

/**
 * Groq. Its models think in `reasoning`, those of the gpt-oss family by effort.
 *
 * @see https://console.groq.com/docs/openai
 */
export const groq = defineLookAlike({
  id: 'groq',
  title: 'Groq',
  defaultBaseUrl: 'https://api.groq.com/openai/v1',
  versionPath: '/openai/v1',
  environmentKey: 'GROQ_API_KEY',
  priceSource: 'groq',
  exchanges: ['transcription', 'translation', 'speech'],
  traits: (model): TraitsOf<'openai-chat'> => ({
    maxTokensField: 'max_completion_tokens',
    reasoningField: 'reasoning',
    supportsJsonSchema: WITH_SCHEMA.test(model),
    efforts: model.includes('gpt-oss') ? ['low', 'medium', 'high'] : [],
  }),
  models: [
    { slug: 'openai/gpt-oss-120b', kind: 'chat', maxOutputTokens: 65_536, fees: TIERS },
    { slug: 'openai/gpt-oss-20b', kind: 'chat', maxOutputTokens: 65_536, fees: TIERS },
    {
      slug: 'llama-3.3-70b-versatile',
      kind: 'chat',
      maxOutputTokens: 32_768,
      contextWindow: 131_072,
      fees: TIERS,
    },
    {
      slug: 'llama-3.1-8b-instant',
      kind: 'chat',
      maxOutputTokens: 131_072,
      contextWindow: 131_072,
      fees: TIERS,
    },
    { slug: 'whisper-large-v3', kind: 'transcription', price: { per_minute: '0.00185' } },
    { slug: 'whisper-large-v3-turbo', kind: 'transcription', price: { per_minute: '0.000666667' } },
  ],
});
