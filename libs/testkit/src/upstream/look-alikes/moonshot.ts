import { omitUndefined } from '@mg/contract';
import type { Json } from '../json.js';
import { type Refusal, refuse } from '../request.js';
import { createLookAlike } from './look-alike.js';
import {
  refuseAny,
  refuseMissingReasoning,
  refuseNewRoles,
  refuseSchemas,
  reasonsUnlessDisabled,
} from './refusals.js';
import { writeCall } from './write-call.js';

/** Moonshot: usage inside the choice that ends, cached tokens beside the others, sampling of its own. */
export const moonshot = createLookAlike({
  name: 'moonshot',
  versionPath: '/v1',
  capFields: ['max_completion_tokens', 'max_tokens'],
  thinks: reasonsUnlessDisabled,
  reasonsByDefault: true,
  refuse: (body) =>
    refuseAny(refuseNewRoles, refuseSchemas, refuseTemperature)(body) ??
    (reasonsUnlessDisabled(body) ? refuseMissingReasoning(body) : undefined),

  describeChunk: ({ identity: { id, created, model }, choices, usage }) =>
    omitUndefined({
      id: `chatcmpl-${id}`,
      object: 'chat.completion.chunk',
      created,
      model,
      choices,
      usage,
      system_fingerprint: 'fpv0_4a1b2c3d',
    }),
  describeChoice: (delta, finish_reason) => ({ index: 0, delta, finish_reason }),
  opening: { role: 'assistant', content: '' },
  reasoningDelta: (reasoning_content) => ({ reasoning_content }),
  textDelta: (content) => ({ content }),
  callsTravel: 'in-fragments',
  describeCall: writeCall,
  closing: {},

  usageStands: 'in-the-choice',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) =>
    omitUndefined({
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      cached_tokens: cachedTokens > 0 ? cachedTokens : undefined,
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  describeMessage: (reasoning_content, content) => ({ content: content ?? '', reasoning_content }),
});

function refuseTemperature(body: Json): Refusal | undefined {
  return body['temperature'] === undefined || body['temperature'] === 1
    ? undefined
    : refuse('invalid temperature: only 1 is allowed for this model', 'temperature');
}
