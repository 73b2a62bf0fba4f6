import { omitUndefined } from '@mg/contract';
import { isObject, type Json } from '../json.js';
import { type Refusal, refuse } from '../request.js';
import { createLookAlike } from './look-alike.js';
import { writeCall } from './write-call.js';

const REFUSED_BY_THINKERS = ['presence_penalty', 'frequency_penalty', 'stop'];

/** xAI: no opening, the role with the first delta alone, whole calls, and reasoning counted beside the completion. */
export const xai = createLookAlike({
  name: 'xai',
  versionPath: '/v1',
  capFields: ['max_completion_tokens', 'max_tokens'],
  refuse: refuseSampling,

  describeChunk: ({ identity: { id, created, model }, choices, usage, isFirst }) =>
    omitUndefined({
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: isFirst ? choices.map(addRole) : choices,
      usage,
      system_fingerprint: 'fp_2a885414fb',
    }),
  describeChoice: (delta, finish_reason) =>
    omitUndefined({ index: 0, delta, finish_reason: finish_reason ?? undefined }),
  reasoningDelta: (reasoning_content) => ({ reasoning_content }),
  textDelta: (content) => ({ content }),
  callsTravel: 'whole',
  describeCall: writeCall,
  closing: {},

  usageStands: 'behind-the-end',
  reportsUsageUnasked: true,
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens - reasoningTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: {
      text_tokens: promptTokens,
      audio_tokens: 0,
      image_tokens: 0,
      cached_tokens: cachedTokens,
    },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    num_sources_used: 0,
    cost_in_usd_ticks: 1466250,
  }),
  describeMessage: (reasoning_content, content) =>
    omitUndefined({
      content: content ?? '',
      reasoning_content: reasoning_content === '' ? undefined : reasoning_content,
      refusal: null,
    }),
  describeError: (_status, { message }) => ({ code: 'Client specified an invalid argument', error: message }),
});

function addRole(choice: Json): Json {
  return isObject(choice['delta']) ? { ...choice, delta: { ...choice['delta'], role: 'assistant' } } : choice;
}

function refuseSampling(body: Json): Refusal | undefined {
  const field = REFUSED_BY_THINKERS.find((name) => body[name] !== undefined);
  return field === undefined ? undefined : refuse(`Argument not supported on this model: ${field}`, field);
}
