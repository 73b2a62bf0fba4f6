import { createLookAlike } from './look-alike.js';
import {
  refuseAny,
  refuseMissingReasoning,
  refuseNewRoles,
  refuseImages,
  refuseSchemas,
  reasonsUnlessDisabled,
} from './refusals.js';
import { writeCall } from './write-call.js';

/** DeepSeek: every delta names both fields, `usage` is null until the end. It reads no images. */
export const deepseek = createLookAlike({
  name: 'deepseek',
  versionPath: '/v1',
  capFields: ['max_tokens'],
  thinks: reasonsUnlessDisabled,
  reasonsByDefault: true,
  refuse: (body) =>
    refuseAny(refuseNewRoles, refuseImages, refuseSchemas)(body) ??
    (reasonsUnlessDisabled(body) ? refuseMissingReasoning(body) : undefined),

  describeChunk: ({ identity: { id, created, model }, choices, usage }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    system_fingerprint: 'fp_eaab8d114b_prod0820_fp8_kvcache',
    choices,
    usage: usage ?? null,
  }),
  describeChoice: (delta, finish_reason) => ({ index: 0, delta, logprobs: null, finish_reason }),
  opening: { role: 'assistant', content: null, reasoning_content: '' },
  reasoningDelta: (reasoning_content) => ({ content: null, reasoning_content }),
  textDelta: (content) => ({ content, reasoning_content: null }),
  callsTravel: 'in-fragments',
  describeCall: writeCall,
  closing: { content: '', reasoning_content: null },

  usageStands: 'with-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    prompt_cache_hit_tokens: cachedTokens,
    prompt_cache_miss_tokens: promptTokens - cachedTokens,
  }),
  describeMessage: (reasoning_content, content) => ({ content: content ?? '', reasoning_content }),
});
