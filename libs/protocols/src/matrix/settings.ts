import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import { refused, type RequestRow, warned } from './row.js';

const config = (generationConfig: JsonObject) => ({ generationConfig });
const inference = (inferenceConfig: JsonObject) => ({ inferenceConfig });
const LONG_USER = 'u'.repeat(100);
const SHORT_USER = createHash('sha256').update(LONG_USER).digest('hex');
const FIVE = ['a', 'b', 'c', 'd', 'e'];

/** Limits, sampling, and settings beside the conversation. */
export const SETTING_ROWS: readonly RequestRow[] = [
  {
    concept: 'the longest answer',
    said: {
      chat: { max_completion_tokens: 100 },
      responses: { max_output_tokens: 100 },
      completions: { max_tokens: 100 },
      messages: { max_tokens: 100 },
      gemini: config({ maxOutputTokens: 100 }),
      converse: inference({ maxTokens: 100 }),
    },
  },
  {
    concept: 'the longest answer, by its old name, for servers that know only that',
    traits: { maxTokensField: 'max_tokens' },
    said: { chat: { max_tokens: 100 } },
    to: {
      responses: { max_output_tokens: 100 },
      completions: { max_tokens: 100 },
      messages: { max_tokens: 100 },
      gemini: config({ maxOutputTokens: 100 }),
      converse: inference({ maxTokens: 100 }),
    },
  },
  {
    concept: 'no limit',
    from: { chat: {}, responses: {}, gemini: {} },
    to: {
      chat: { messages: [{ role: 'user' }] },
      responses: { store: false },
      completions: { max_tokens: 1_024 },
      messages: { max_tokens: 8_192 },
      gemini: { contents: [{ role: 'user' }] },
      converse: { messages: [{ role: 'user' }] },
    },
  },
  {
    concept: 'a limit beyond that of the model',
    traits: { maxOutputTokens: 4_096 },
    from: { chat: { max_completion_tokens: 100_000 }, messages: { max_tokens: 100_000 } },
    to: {
      chat: { max_completion_tokens: 4_096 },
      responses: { max_output_tokens: 4_096 },
      completions: { max_tokens: 4_096 },
      messages: { max_tokens: 4_096 },
      gemini: config({ maxOutputTokens: 4_096 }),
      converse: inference({ maxTokens: 4_096 }),
    },
  },
  {
    concept: 'no answer at all, to fill a cache',
    said: { messages: { max_tokens: 0 } },
    to: {
      chat: refused('max_tokens'),
      responses: refused('max_tokens'),
      completions: { max_tokens: 0 },
      gemini: refused('max_tokens'),
      converse: refused('max_tokens'),
    },
  },
  {
    concept: 'an answer shorter than the Responses API allows',
    said: { messages: { max_tokens: 1 }, chat: { max_completion_tokens: 1 } },
    to: {
      responses: warned('max_tokens', { max_output_tokens: 16 }),
      completions: { max_tokens: 1 },
      gemini: config({ maxOutputTokens: 1 }),
      converse: inference({ maxTokens: 1 }),
    },
  },
  {
    concept: 'temperature and nucleus',
    said: {
      chat: { temperature: 0.5, top_p: 0.9 },
      responses: { temperature: 0.5, top_p: 0.9 },
      completions: { temperature: 0.5, top_p: 0.9 },
      messages: { temperature: 0.5, top_p: 0.9 },
      gemini: config({ temperature: 0.5, topP: 0.9 }),
      converse: inference({ temperature: 0.5, topP: 0.9 }),
    },
  },
  {
    concept: 'a temperature above 1',
    said: {
      chat: { temperature: 1.5 },
      responses: { temperature: 1.5 },
      completions: { temperature: 1.5 },
      gemini: config({ temperature: 1.5 }),
    },
    to: {
      messages: warned('temperature', { temperature: 1 }),
      converse: warned('temperature', inference({ temperature: 1 })),
    },
  },
  {
    concept: 'sampling, of models that take none',
    traits: { supportsSampling: false },
    from: { chat: { temperature: 0.5, top_p: 0.9 } },
    to: {
      chat: warned(['temperature', 'top_p']),
      responses: warned(['temperature', 'top_p']),
      completions: { temperature: 0.5 },
      messages: warned(['temperature', 'top_p']),
      gemini: config({ temperature: 0.5, topP: 0.9 }),
      converse: warned(['temperature', 'top_p']),
    },
  },
  {
    concept: 'sampling in two ways, of models that take one',
    traits: { supportsTemperatureWithTopP: false },
    from: { chat: { temperature: 0.5, top_p: 0.9 } },
    to: {
      chat: { temperature: 0.5, top_p: 0.9 },
      responses: { temperature: 0.5, top_p: 0.9 },
      completions: { temperature: 0.5, top_p: 0.9 },
      messages: warned('top_p', { temperature: 0.5 }),
      gemini: config({ temperature: 0.5, topP: 0.9 }),
      converse: inference({ temperature: 0.5, topP: 0.9 }),
    },
  },
  {
    concept: 'the likeliest tokens only',
    said: { messages: { top_k: 5 }, gemini: config({ topK: 5 }) },
    from: { chat: { top_k: 5 } },
    to: {
      chat: warned('top_k'),
      responses: warned('top_k'),
      completions: warned('top_k', { prompt: 'Hi' }),
      converse: warned('top_k'),
    },
  },
  {
    concept: 'a stop string',
    said: {
      chat: { stop: ['a'] },
      completions: { stop: ['a'] },
      messages: { stop_sequences: ['a'] },
      gemini: config({ stopSequences: ['a'] }),
      converse: inference({ stopSequences: ['a'] }),
    },
    to: { responses: { store: false } },
  },
  {
    concept: 'a stop string that is no list',
    from: { chat: { stop: 'a' }, completions: { stop: 'a' } },
    to: {
      chat: { stop: ['a'] },
      responses: { store: false },
      completions: { stop: ['a'] },
      messages: { stop_sequences: ['a'] },
      gemini: config({ stopSequences: ['a'] }),
      converse: inference({ stopSequences: ['a'] }),
    },
  },
  {
    concept: 'five stop strings',
    said: {
      messages: { stop_sequences: FIVE },
      gemini: config({ stopSequences: FIVE }),
      converse: inference({ stopSequences: FIVE }),
    },
    to: { chat: refused('stop'), responses: { store: false }, completions: refused('stop') },
  },
  {
    concept: 'six stop strings',
    said: {
      messages: { stop_sequences: [...FIVE, 'f'] },
      converse: inference({ stopSequences: [...FIVE, 'f'] }),
    },
    to: {
      chat: refused('stop'),
      responses: { store: false },
      completions: refused('stop'),
      gemini: refused('stop'),
    },
  },
  {
    concept: 'a blank stop string',
    said: { chat: { stop: ['\n', 'a'] } },
    to: {
      responses: { store: false },
      completions: { stop: ['\n', 'a'] },
      messages: warned('stop', { stop_sequences: ['a'] }),
      gemini: config({ stopSequences: ['\n', 'a'] }),
      converse: inference({ stopSequences: ['\n', 'a'] }),
    },
  },
  {
    concept: 'a seed, and penalties',
    said: {
      chat: { seed: 7, presence_penalty: 0.5, frequency_penalty: 0.5 },
      completions: { seed: 7, presence_penalty: 0.5, frequency_penalty: 0.5 },
      gemini: config({ seed: 7, presencePenalty: 0.5, frequencyPenalty: 0.5 }),
    },
    to: {
      responses: warned(['frequency_penalty', 'presence_penalty', 'seed']),
      messages: warned(['frequency_penalty', 'presence_penalty', 'seed']),
      converse: warned(['frequency_penalty', 'presence_penalty', 'seed']),
    },
  },
  {
    concept: 'several answers',
    said: { chat: { n: 2 }, completions: { n: 2 }, gemini: config({ candidateCount: 2 }) },
    to: { responses: refused('n'), messages: refused('n'), converse: refused('n') },
  },
  {
    concept: 'more answers than Google gives',
    said: { chat: { n: 9 }, completions: { n: 9 } },
    to: { responses: refused('n'), messages: refused('n'), gemini: refused('n'), converse: refused('n') },
  },
  {
    concept: 'how likely the tokens were',
    said: {
      chat: { logprobs: true, top_logprobs: 2 },
      responses: { top_logprobs: 2 },
      completions: { logprobs: 2 },
      gemini: config({ responseLogprobs: true, logprobs: 2 }),
    },
    to: { messages: refused('logprobs'), converse: refused('logprobs') },
  },
  {
    concept: 'which tokens to prefer',
    said: { chat: { logit_bias: { '50256': -100 } } },
    to: {
      responses: warned('logit_bias'),
      completions: warned('logit_bias', { prompt: 'Hi' }),
      messages: warned('logit_bias'),
      gemini: warned('logit_bias'),
      converse: warned('logit_bias'),
    },
  },
  {
    concept: 'who the user is',
    said: {
      chat: { safety_identifier: 'u1' },
      responses: { safety_identifier: 'u1' },
      completions: { user: 'u1' },
      messages: { metadata: { user_id: 'u1' } },
    },
    to: { gemini: warned('user'), converse: warned('user') },
  },
  {
    concept: 'who the user is, at length',
    said: { messages: { metadata: { user_id: LONG_USER } } },
    to: {
      chat: { safety_identifier: SHORT_USER },
      responses: { safety_identifier: SHORT_USER },
      completions: { user: LONG_USER },
      gemini: warned('user'),
      converse: warned('user'),
    },
  },
  {
    concept: 'the usual tier',
    said: {
      chat: { service_tier: 'default' },
      responses: { service_tier: 'default' },
      messages: { service_tier: 'standard_only' },
      converse: { serviceTier: { type: 'default' } },
    },
    from: { gemini: { serviceTier: 'standard' } },
    to: { completions: warned('service_tier', { prompt: 'Hi' }), gemini: { contents: [{}] } },
  },
  {
    concept: 'another tier',
    said: {
      chat: { service_tier: 'flex' },
      responses: { service_tier: 'flex' },
      gemini: { serviceTier: 'flex' },
      converse: { serviceTier: { type: 'flex' } },
    },
    to: { completions: warned('service_tier', { prompt: 'Hi' }), messages: warned('service_tier') },
  },
  {
    concept: 'bookkeeping, for models of OpenAI',
    traits: { supportsOpenAiFields: true },
    said: {
      chat: { metadata: { a: 'b' }, verbosity: 'low' },
      responses: { metadata: { a: 'b' }, text: { verbosity: 'low' } },
    },
    to: {
      completions: warned(['metadata', '*verbosity'], { prompt: 'Hi' }),
      messages: warned(['metadata', '*verbosity']),
      gemini: warned(['metadata', '*verbosity']),
      converse: warned(['metadata', '*verbosity']),
    },
  },
  {
    concept: 'what only hints at how to answer',
    said: { messages: { speed: 'fast', inference_geo: 'us', context_management: { edits: [] } } },
    to: {
      chat: warned(['context_management', 'inference_geo', 'speed']),
      responses: warned(['context_management', 'inference_geo', 'speed']),
      completions: warned(['context_management', 'inference_geo', 'speed'], { prompt: 'Hi' }),
      gemini: warned(['context_management', 'inference_geo', 'speed']),
      converse: warned(['context_management', 'inference_geo', 'speed']),
    },
  },
  {
    concept: "a provider's rules of safety, and labels",
    said: { gemini: { safetySettings: [], labels: { a: 'b' } } },
    to: {
      chat: warned(['labels', 'safetySettings']),
      responses: warned(['labels', 'safetySettings']),
      completions: warned(['labels', 'safetySettings'], { prompt: 'Hi' }),
      messages: warned(['labels', 'safetySettings']),
      converse: warned(['labels', 'safetySettings']),
    },
  },
  {
    concept: 'a voice',
    said: { gemini: config({ speechConfig: { voiceConfig: {} } }) },
    to: {
      chat: refused('generationConfig.speechConfig'),
      responses: refused('generationConfig.speechConfig'),
      completions: refused('generationConfig.speechConfig'),
      messages: refused('generationConfig.speechConfig'),
      converse: refused('generationConfig.speechConfig'),
    },
  },
  {
    concept: 'usage at the end of a stream',
    from: {
      chat: { stream: true, stream_options: { include_usage: true } },
      responses: { stream: true },
      completions: { stream: true },
      messages: { stream: true },
    },
    to: {
      chat: { stream: true, stream_options: { include_usage: true } },
      responses: { stream: true },
      completions: { stream: true, stream_options: { include_usage: true } },
      messages: { stream: true },
      gemini: { contents: [{}] },
      converse: { messages: [{}] },
    },
  },
  {
    concept: 'an unknown field',
    said: {
      messages: { x_future: 1 },
    },
    to: {
      chat: warned('x_future'),
      responses: warned('x_future'),
      completions: warned('x_future', { prompt: 'Hi' }),
      gemini: warned('x_future'),
      converse: warned('x_future'),
    },
  },
];
