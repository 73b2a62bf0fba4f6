import type { ClientProtocolName, TraitsOf } from '@mg/protocols';
import { z } from 'zod';
import { liveSessions } from '../gemini-live.js';
import { realtimeLikeOpenAi } from '../openai-realtime.js';
import { defineProvider, type LocalAnswer, type ModelCard, type SurfaceOf } from '../descriptor.js';
import { nameGeminiMethod } from '../gemini-traits.js';
import { answerChat } from './answer-chat.js';
import { converse } from './converse.js';
import { converseLive } from './converse-live.js';
import { answerIn } from './answer-in-dialect.js';
import { audioExchanges } from './answer-audio.js';
import { imageExchanges } from './answer-images.js';
import { textExchanges } from './answer-texts.js';
import { GENERIC_MODEL, NATIVE_MODEL, videoJobs } from './video-jobs.js';

const LONGEST_ANSWER = 4_096;

/** Models that speak one protocol only, so that every conversion can be seen from every client. */
const ONE_PROTOCOL: ReadonlyMap<string, ClientProtocolName> = new Map([
  ['sandbox-messages', 'anthropic-messages'],
  ['sandbox-generate', 'gemini-generate'],
  ['sandbox-responses', 'openai-responses'],
]);

/** Simulated models in this process: demos, tests and load need no provider. Their answers say that they are simulated. */
export const sandbox = defineProvider({
  id: 'sandbox',
  title: 'Sandbox (simulated)',
  settings: z.strictObject({}),
  credential: 'none',
  versionPath: '/v1',
  surfaces: [
    surface(
      'openai-chat',
      () => '/chat/completions',
      { maxTokensField: 'max_completion_tokens' },
      answerChat,
    ),
    surface('anthropic-messages', () => '/messages', {
      supportsAdaptiveThinking: true,
      supportsLaterSystemTurns: true,
    }),
    surface(
      'gemini-generate',
      (call) => `/models/${encodeURIComponent(call.model)}${nameGeminiMethod(call)}`,
      { supportsThinkingLevels: true },
    ),
    surface('openai-responses', () => '/responses', { supportsDeveloperRole: true }),
    surface('openai-completions', () => '/completions', {}),
  ],
  exchanges: [...textExchanges, ...audioExchanges, ...imageExchanges],
  realtime: [
    { ...realtimeLikeOpenAi({ authorize: () => ({}) }), converse },
    { ...liveSessions({ authorize: () => ({}) }), converse: converseLive },
  ],
  jobs: videoJobs,
  models: [
    ...['sandbox-chat', ...ONE_PROTOCOL.keys()].map(card),
    { slug: 'sandbox-embedding', kind: 'embedding', price: { input_per_million: '0.02' } },
    {
      slug: 'sandbox-image',
      kind: 'image',
      price: { per_image: '0.02', variants: { high: { per_image: '0.04' } } },
    },
    { slug: 'sandbox-transcribe', kind: 'transcription', price: { per_minute: '0.006' } },
    { slug: 'sandbox-speech', kind: 'speech', price: { per_million_characters: '15' } },
    { slug: 'sandbox-rerank', kind: 'rerank', price: { per_request: '0.001' } },
    { slug: 'sandbox-moderation', kind: 'moderation', price: { per_request: '0' } },
    {
      slug: 'sandbox-realtime',
      kind: 'realtime',
      maxOutputTokens: LONGEST_ANSWER,
      contextWindow: 32_000,
      price: {
        input_per_million: '0.6',
        cached_input_per_million: '0.06',
        audio_input_per_million: '10',
        output_per_million: '2.4',
        audio_output_per_million: '20',
      },
    },
    ...[GENERIC_MODEL, NATIVE_MODEL].map((slug): ModelCard => ({
      slug,
      kind: 'video',
      price: { per_second: '0.05' },
    })),
  ],
});

function surface<Name extends ClientProtocolName>(
  protocol: Name,
  path: SurfaceOf<Name>['path'],
  traits: TraitsOf<Name>,
  answer: LocalAnswer = answerIn(protocol),
): SurfaceOf<Name> {
  return {
    operation: 'chat',
    protocol,
    serves: (model) => (ONE_PROTOCOL.get(model) ?? protocol) === protocol,
    path,
    authorize: () => ({}),
    traits: () => ({ ...traits, maxOutputTokens: LONGEST_ANSWER }),
    answer,
  };
}

function card(slug: string): ModelCard {
  return {
    slug,
    kind: 'chat',
    maxOutputTokens: LONGEST_ANSWER,
    contextWindow: 1_000_000,
    price: {
      input_per_million: '0.25',
      cached_input_per_million: '0.025',
      output_per_million: '2.00',
      // Agents offer the tools of their providers by themselves, and may ask for a tier: nothing of it is simulated.
      per_web_search: '0.01',
      per_file_search: '0.0025',
      per_code_session: '0.03',
      tiers: { priority: {}, flex: {} },
    },
  };
}
