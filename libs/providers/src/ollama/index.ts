import { defineLookAlike } from '../look-alike.js';

/**
 * Ollama, on this machine unless the channel names another. It takes images only as bytes.
 *
 * @see https://docs.ollama.com/api/openai-compatibility
 */
export const ollama = defineLookAlike({
  id: 'ollama',
  title: 'Ollama',
  onAbort: 'cancel',
  defaultBaseUrl: 'http://127.0.0.1:11434/v1',
  credential: 'optional',
  exchanges: ['embeddings'],
  textCompletions: true,
  traits: {
    reasoningField: 'reasoning',
    userField: 'none',
    supportsMaxCompletionTokens: false,
    supportsMediaUrls: false,
    efforts: ['none', 'low', 'medium', 'high'],
  },
});
