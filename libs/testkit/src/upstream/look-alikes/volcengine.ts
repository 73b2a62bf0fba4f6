import { omitUndefined } from '@mg/contract';
import { createLookAlike } from './look-alike.js';
import { refuseNewRoles, reasonsUnlessDisabled } from './refusals.js';

/** Volcengine Ark: the choices first, `content` beside each piece of reasoning, and a cap that counts reasoning under one name only. */
export const volcengine = createLookAlike({
  name: 'volcengine',
  versionPath: '/api/v3',
  capFields: ['max_completion_tokens', 'max_tokens'],
  thinks: reasonsUnlessDisabled,
  reasonsByDefault: true,
  refuse: refuseNewRoles,

  describeChunk: ({ identity: { id, created, model }, choices, usage }) => ({
    choices,
    created,
    id,
    model,
    service_tier: 'default',
    object: 'chat.completion.chunk',
    usage: usage ?? null,
  }),
  describeChoice: (delta, finish_reason) =>
    omitUndefined({ delta, finish_reason: finish_reason ?? undefined, index: 0 }),
  reasoningDelta: (reasoning_content) => ({ content: '', reasoning_content, role: 'assistant' }),
  textDelta: (content) => ({ content, role: 'assistant' }),
  callsTravel: 'in-fragments',
  describeCall: ({ index, id, name, arguments: args }) => ({
    function: name === undefined ? { arguments: args } : { arguments: args, name },
    ...omitUndefined({
      id: name === undefined ? undefined : id,
      type: name === undefined ? undefined : 'function',
    }),
    index,
  }),
  besideCalls: { content: '', role: 'assistant' },
  closing: { content: '', role: 'assistant' },

  usageStands: 'behind-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) => ({
    completion_tokens: completionTokens,
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }),
  describeMessage: (reasoning_content, content) => ({ content: content ?? '', reasoning_content }),
  describeError: (_status, { message, param }) => ({
    error: {
      code: 'InvalidParameter',
      message: `${message} Request id: 0217fake`,
      param: param ?? '',
      type: 'BadRequest',
    },
  }),
});
