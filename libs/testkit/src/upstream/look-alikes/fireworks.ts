import { omitUndefined } from '@mg/contract';
import { createLookAlike } from './look-alike.js';
import { writeCall } from './write-call.js';

/** Fireworks AI: usage with the end whether asked for or not, and errors that say twice what they are. */
export const fireworks = createLookAlike({
  name: 'fireworks',
  versionPath: '/inference/v1',
  capFields: ['max_completion_tokens', 'max_tokens'],

  describeChunk: ({ identity: { id, created, model }, choices, usage }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices,
    usage: usage ?? null,
  }),
  describeChoice: (delta, finish_reason) => ({ index: 0, delta, finish_reason }),
  opening: { role: 'assistant' },
  reasoningDelta: (reasoning_content) => ({ reasoning_content }),
  textDelta: (content) => ({ content }),
  callsTravel: 'in-fragments',
  describeCall: writeCall,
  closing: {},

  usageStands: 'with-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens }) => ({
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  }),
  describeMessage: (reasoning_content, content) =>
    omitUndefined({
      content: content ?? '',
      reasoning_content: reasoning_content === '' ? undefined : reasoning_content,
    }),
  describeError: (_status, { message }) => ({
    error: { object: 'error', type: 'invalid_request_error', code: 'invalid_request_error', message },
  }),
});
