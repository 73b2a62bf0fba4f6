import { omitUndefined } from '@mg/contract';
import { createLookAlike } from './look-alike.js';
import { refuseAny, refuseNewRoles, refuseSchemas, reasonsUnlessDisabled } from './refusals.js';
import { writeCall } from './write-call.js';

/** Zhipu: the role with each delta, no object, whole calls, usage with the end. */
export const zhipu = createLookAlike({
  name: 'zhipu',
  versionPath: '/api/paas/v4',
  capFields: ['max_tokens'],
  thinks: reasonsUnlessDisabled,
  reasonsByDefault: true,
  refuse: refuseAny(refuseNewRoles, refuseSchemas),

  describeChunk: ({ identity: { id, created, model }, choices, usage }) =>
    omitUndefined({ id, created, model, choices, usage }),
  describeChoice: (delta, finish_reason) =>
    omitUndefined({ index: 0, finish_reason: finish_reason ?? undefined, delta }),
  reasoningDelta: (reasoning_content) => ({ role: 'assistant', reasoning_content }),
  textDelta: (content) => ({ role: 'assistant', content }),
  callsTravel: 'whole',
  describeCall: writeCall,
  besideCalls: { role: 'assistant' },
  closing: { role: 'assistant', content: '' },

  usageStands: 'with-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  }),
  describeMessage: (reasoning_content, content) => ({ content: content ?? '', reasoning_content }),
  describeError: (_status, { message }) => ({ error: { code: '1210', message } }),
});
