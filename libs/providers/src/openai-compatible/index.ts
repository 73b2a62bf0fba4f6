import { defineLookAlike } from '../look-alike.js';
import { realtimeLikeOpenAi } from '../openai-realtime.js';

/** Any server that speaks OpenAI's chat completions: a company's own proxy, a new provider. The channel names its address. */
export const openaiCompatible = defineLookAlike({
  id: 'openai-compatible',
  title: 'OpenAI-compatible',
  onAbort: 'cancel',
  credential: 'optional',
  textCompletions: true,
  exchanges: [
    'embeddings',
    'rerank',
    'moderation',
    'transcription',
    'translation',
    'speech',
    'image-generation',
    'image-edit',
    'image-variation',
  ],
  realtime: [realtimeLikeOpenAi()],
});
