import { defineLookAlike } from '../look-alike.js';

/**
 * A vLLM server. What its model's template refuses (late system messages, say) an operator sets in the settings.
 *
 * @see https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
export const vllm = defineLookAlike({
  id: 'vllm',
  title: 'vLLM',
  onAbort: 'cancel',
  credential: 'optional',
  exchanges: ['embeddings', 'rerank', 'transcription', 'translation'],
  textCompletions: true,
  traits: { reasoningField: 'reasoning', supportsMaxCompletionTokens: false },
});
