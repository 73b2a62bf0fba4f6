import { z } from 'zod';
import { defineProvider, type SurfaceAddress, type SurfaceOf } from '../descriptor.js';
import { listOpenAiExchanges } from '../openai-exchanges.js';
import { listOpenAiProtocols, readOpenAiTraits, readResponsesTraits } from '../openai-traits.js';
import { realtimeLikeOpenAi } from '../openai-realtime.js';
import { openAiModelList } from '../model-list.js';
import { batches } from './batches.js';
import { chatModels } from './chat-models.js';
import { imageModels } from './image-models.js';
import { realtimeModels } from './realtime-models.js';
import { videoJobs } from './video-jobs.js';

const authorize: SurfaceAddress['authorize'] = (apiKey) => ({ authorization: `Bearer ${apiKey}` });

const chat: SurfaceOf<'openai-chat'> = {
  operation: 'chat',
  protocol: 'openai-chat',
  serves: (model) => listOpenAiProtocols(model).includes('openai-chat'),
  path: () => '/chat/completions',
  authorize,
  traits: readOpenAiTraits,
};

const responses: SurfaceOf<'openai-responses'> = {
  operation: 'chat',
  protocol: 'openai-responses',
  path: () => '/responses',
  authorize,
  traits: readResponsesTraits,
  keptResponsePath: (id) => `/responses/${id}`,
};

const completions: SurfaceOf<'openai-completions'> = {
  operation: 'chat',
  protocol: 'openai-completions',
  serves: (model) => listOpenAiProtocols(model).includes('openai-completions'),
  path: () => '/completions',
  authorize,
  traits: readOpenAiTraits,
};

/**
 * OpenAI itself. Models that do everything only by the Responses API are preferably called by it.
 *
 * @see https://platform.openai.com/docs/api-reference
 */
export const openai = defineProvider({
  id: 'openai',
  title: 'OpenAI',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://api.openai.com/v1',
  versionPath: '/v1',
  environmentKey: 'OPENAI_API_KEY',
  priceSource: 'openai',
  surfaces: [
    { ...responses, serves: (model) => listOpenAiProtocols(model)[0] === 'openai-responses' },
    chat,
    { ...responses, serves: (model) => listOpenAiProtocols(model)[1] === 'openai-responses' },
    completions,
    { ...responses, operation: 'compact', path: () => '/responses/compact' },
  ],
  exchanges: [
    ...listOpenAiExchanges([
      'embeddings',
      'moderation',
      'transcription',
      'translation',
      'speech',
      'image-generation',
      'image-edit',
    ]),
    // The one family of models that has them.
    ...listOpenAiExchanges(['image-variation'], { serves: (model) => model.includes('dall-e-2') }),
  ],
  realtime: [realtimeLikeOpenAi({ knowsBeta: false })],
  jobs: [videoJobs],
  batches,
  modelList: openAiModelList,
  models: [
    ...imageModels,
    ...chatModels,
    ...realtimeModels,
    { slug: 'text-embedding-3-small', kind: 'embedding', price: { input_per_million: '0.02' } },
    { slug: 'text-embedding-3-large', kind: 'embedding', price: { input_per_million: '0.13' } },
    { slug: 'whisper-1', kind: 'transcription', price: { per_minute: '0.006' } },
    {
      slug: 'gpt-4o-transcribe',
      kind: 'transcription',
      price: { input_per_million: '2.5', audio_input_per_million: '6', output_per_million: '10' },
    },
    {
      slug: 'gpt-4o-mini-transcribe',
      kind: 'transcription',
      price: { input_per_million: '1.25', audio_input_per_million: '3', output_per_million: '5' },
    },
    // In realtime sessions alone, by the minute of audio.
    { slug: 'gpt-realtime-whisper', kind: 'transcription', price: { per_minute: '0.017' } },
    { slug: 'gpt-live-transcribe', kind: 'transcription', price: { per_minute: '0.017' } },
    { slug: 'tts-1', kind: 'speech', price: { per_million_characters: '15' } },
    { slug: 'tts-1-hd', kind: 'speech', price: { per_million_characters: '30' } },
    {
      slug: 'gpt-4o-mini-tts',
      kind: 'speech',
      price: { input_per_million: '0.6', output_per_million: '12' },
    },
    // Free of charge at the provider.
    { slug: 'omni-moderation-latest', kind: 'moderation', price: { per_request: '0' } },
  ],
});
