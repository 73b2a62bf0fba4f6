import { z } from 'zod';
import { defineProvider } from '../descriptor.js';
import { answerChat } from './answer-chat.js';

/** Simulated models in this process: demos, tests and load need no provider. Their answers say that they are simulated. */
export const sandbox = defineProvider({
  id: 'sandbox',
  title: 'Sandbox (simulated)',
  settings: z.strictObject({}),
  credential: 'none',
  versionPath: '/v1',
  surfaces: [
    {
      operation: 'chat',
      protocol: 'openai-chat',
      path: () => '/chat/completions',
      authorize: () => ({}),
      traits: () => ({ maxTokensField: 'max_completion_tokens' }),
      answer: answerChat,
    },
  ],
  models: [
    {
      slug: 'sandbox-chat',
      kind: 'chat',
      maxOutputTokens: 4_096,
      price: { input_per_million: '0.25', cached_input_per_million: '0.025', output_per_million: '2.00' },
    },
  ],
});
