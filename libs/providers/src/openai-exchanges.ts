import { omitUndefined } from '@mg/contract';
import type { ExchangeOperation, ExchangeProtocol, ExchangeTraits } from '@mg/protocols';
import type { ExchangeSurface } from './descriptor.js';
import type { Settings } from './signing.js';
import { readOpenAiImageTraits } from './openai-image-traits.js';

/** Operations beside chat as OpenAI offers them: wire format and path. */
const OPENAI_EXCHANGES = {
  embeddings: { protocol: 'openai-embeddings', path: '/embeddings' },
  moderation: { protocol: 'openai-moderations', path: '/moderations' },
  transcription: { protocol: 'openai-transcriptions', path: '/audio/transcriptions' },
  translation: { protocol: 'openai-transcriptions', path: '/audio/translations' },
  speech: { protocol: 'openai-speech', path: '/audio/speech' },
  'image-generation': { protocol: 'openai-images', path: '/images/generations' },
  'image-edit': { protocol: 'openai-images', path: '/images/edits' },
  'image-variation': { protocol: 'openai-images', path: '/images/variations' },
  rerank: { protocol: 'jina-rerank', path: '/rerank' },
} as const satisfies Partial<Record<ExchangeOperation, { protocol: ExchangeProtocol; path: string }>>;

export type OpenAiExchange = keyof typeof OPENAI_EXCHANGES;

export interface OpenAiExchangeOptions {
  readonly authorize?: ExchangeSurface['authorize'];
  readonly serves?: ExchangeSurface['serves'];
  readonly traits?: (model: string, settings: Settings) => ExchangeTraits;
}

const bearer: ExchangeSurface['authorize'] = (apiKey): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/**
 * Surfaces of these operations at OpenAI's paths, below the provider's version path. Models that make images are known by
 * name unless traits say otherwise.
 */
export function listOpenAiExchanges(
  operations: readonly OpenAiExchange[],
  { authorize = bearer, serves, traits }: OpenAiExchangeOptions = {},
): ExchangeSurface[] {
  return operations.map((operation) => {
    const { protocol, path } = OPENAI_EXCHANGES[operation];
    const traitsOf = traits ?? (protocol === 'openai-images' ? readOpenAiImageTraits : undefined);
    return omitUndefined({ operation, protocol, path: () => path, authorize, serves, traits: traitsOf });
  });
}
