import { z } from 'zod';
import { defineProvider } from '../descriptor.js';

/** Any server that speaks OpenAI's chat completions: vLLM, Ollama, a company's own proxy. The channel names its address. */
export const openaiCompatible = defineProvider({
  id: 'openai-compatible',
  title: 'OpenAI-compatible',
  settings: z.strictObject({}),
  credential: 'optional',
  versionPath: '/v1',
  surfaces: [
    {
      operation: 'chat',
      protocol: 'openai-chat',
      path: () => '/chat/completions',
      authorize: (apiKey): Record<string, string> =>
        apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      traits: () => ({ maxTokensField: 'max_tokens' }),
    },
  ],
  models: [],
});
