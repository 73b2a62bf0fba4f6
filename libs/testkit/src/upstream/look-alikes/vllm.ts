import { omitUndefined } from '@mg/contract';
import { createLookAlike } from './look-alike.js';

/** vLLM: reasoning under their new and their old name at once, numbers for codes, and nulls of its own. */
export const vllm = createLookAlike({
  name: 'vllm',
  versionPath: '/v1',
  capFields: ['max_completion_tokens', 'max_tokens'],

  describeChunk: ({ identity: { id, created, model }, choices, usage, isFirst }) =>
    omitUndefined({
      id: `chatcmpl-${id}`,
      object: 'chat.completion.chunk',
      created,
      model,
      choices,
      prompt_token_ids: isFirst ? null : undefined,
      usage,
    }),
  describeChoice: (delta, finish_reason) =>
    omitUndefined({
      index: 0,
      delta,
      logprobs: null,
      finish_reason,
      stop_reason: finish_reason === null ? undefined : null,
      token_ids: null,
    }),
  opening: { role: 'assistant', content: '' },
  reasoningDelta: (text) => ({ reasoning: text, reasoning_content: text }),
  textDelta: (content) => ({ content }),
  callsTravel: 'in-fragments',
  describeCall: ({ index, id, name, arguments: args }) =>
    name === undefined
      ? { index, function: { arguments: args } }
      : {
          id: id.replace('call_', 'chatcmpl-tool-'),
          type: 'function',
          index,
          function: { name, arguments: args },
        },
  closing: { content: '' },

  usageStands: 'behind-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens }) => ({
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens: completionTokens,
    prompt_tokens_details: cachedTokens > 0 ? { cached_tokens: cachedTokens } : null,
  }),
  describeMessage: (thought, content) => ({
    content,
    refusal: null,
    annotations: null,
    audio: null,
    function_call: null,
    reasoning: thought === '' ? null : thought,
    reasoning_content: thought === '' ? null : thought,
  }),
  describeError: (code, { message, param }) => ({ error: { message, type: 'BadRequestError', param, code } }),
});
