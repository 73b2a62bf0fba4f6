import { omitUndefined } from '@mg/contract';
import { createLookAlike } from './look-alike.js';
import { refuseAny, refuseLateSystem, refuseNewRoles, refuseSchemas } from './refusals.js';

/** Qwen by DashScope: the choices first, `null` usage in each chunk, and usage behind the end. */
export const qwen = createLookAlike({
  name: 'qwen',
  versionPath: '/compatible-mode/v1',
  capFields: ['max_tokens'],
  thinks: (body) => body['enable_thinking'] === true,
  refuse: refuseAny(refuseNewRoles, refuseLateSystem, refuseSchemas),

  describeChunk: ({ identity: { id, created, model }, choices, usage }) => ({
    choices,
    object: 'chat.completion.chunk',
    usage: usage ?? null,
    created,
    system_fingerprint: null,
    model,
    id: `chatcmpl-${id}`,
  }),
  describeChoice: (delta, finish_reason) => ({ delta, index: 0, logprobs: null, finish_reason }),
  opening: { content: null, reasoning_content: '', role: 'assistant' },
  reasoningDelta: (reasoning_content) => ({ content: null, reasoning_content }),
  textDelta: (content) => ({ content, reasoning_content: null }),
  callsTravel: 'in-fragments',
  // Fragments that follow carry an empty id.
  describeCall: ({ index, id, name, arguments: args }) => ({
    index,
    id: name === undefined ? '' : id,
    type: 'function',
    function: omitUndefined({ name, arguments: args }),
  }),
  closing: { content: '', reasoning_content: null },

  usageStands: 'behind-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    prompt_tokens_details: { cached_tokens: cachedTokens },
  }),
  describeMessage: (reasoning_content, content) => ({ content: content ?? '', reasoning_content }),
  describeError: (_status, { message, type, code, param }) => ({
    error: { message: `<400> InternalError.Algo.InvalidParameter: ${message}`, type, param, code },
    request_id: '5f4c1b6a-fake',
  }),
});
