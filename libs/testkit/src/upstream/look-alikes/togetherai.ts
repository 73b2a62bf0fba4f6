import { omitUndefined } from '@mg/contract';
import { createLookAlike } from './look-alike.js';
import { refuseImages } from './refusals.js';
import { writeCall } from './write-call.js';

/** Together AI: the text twice in each chunk, a token's number beside it, cached tokens beside the others. Its gpt-oss reads no images. */
export const togetherai = createLookAlike({
  name: 'togetherai',
  versionPath: '/v1',
  capFields: ['max_tokens'],
  refuse: refuseImages,

  describeChunk: ({ identity: { id, created, model }, choices, usage }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    choices,
    model,
    usage: usage ?? null,
  }),
  describeChoice: (delta, finish_reason) => ({
    index: 0,
    text: typeof delta['content'] === 'string' ? delta['content'] : '',
    logprobs: null,
    finish_reason,
    seed: null,
    delta,
  }),
  reasoningDelta: (reasoning) => ({ token_id: 976, role: 'assistant', content: '', reasoning }),
  textDelta: (content) => ({ token_id: 9906, role: 'assistant', content, tool_calls: null }),
  callsTravel: 'in-fragments',
  describeCall: writeCall,
  besideCalls: { role: 'assistant', content: '' },
  closing: { token_id: 200002, role: 'assistant', content: '', tool_calls: null },

  usageStands: 'with-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    cached_tokens: cachedTokens,
  }),
  describeMessage: (reasoning, content) =>
    omitUndefined({
      content: content ?? '',
      tool_calls: [],
      reasoning: reasoning === '' ? undefined : reasoning,
    }),
});
