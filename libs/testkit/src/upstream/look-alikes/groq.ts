import { omitUndefined } from '@mg/contract';
import { type Json, listObjects } from '../json.js';
import { type Refusal, refuse } from '../request.js';
import { createLookAlike } from './look-alike.js';
import { writeCall } from './write-call.js';
import { refuseAny, refuseImages } from './refusals.js';

const REQUEST_ID = 'req_01kh52nmbjem9bfhxdbabnjv0x';
const EFFORTS: readonly unknown[] = [undefined, 'low', 'medium', 'high'];

/** Groq: reasoning in `reasoning`, usage twice in the last chunk, whole calls. Its gpt-oss models read no images. */
export const groq = createLookAlike({
  name: 'groq',
  versionPath: '/openai/v1',
  capFields: ['max_completion_tokens', 'max_tokens'],
  refuse: refuseAny(refuseForeignFields, refuseImages),

  describeChunk: ({ identity: { id, created, model }, choices, usage, isFirst }) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created,
    model,
    system_fingerprint: 'fp_78ac7f3229',
    choices,
    ...omitUndefined({
      x_groq: usage ? { id: REQUEST_ID, usage } : isFirst ? { id: REQUEST_ID, seed: 872656815 } : undefined,
      usage,
    }),
  }),
  describeChoice: (delta, finish_reason) => ({ index: 0, delta, logprobs: null, finish_reason }),
  opening: { role: 'assistant', content: '' },
  reasoningDelta: (reasoning) => ({ reasoning, channel: 'analysis' }),
  textDelta: (content) => ({ content }),
  callsTravel: 'whole',
  describeCall: writeCall,
  closing: {},

  usageStands: 'with-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) =>
    omitUndefined({
      queue_time: 0.171721454,
      prompt_tokens: promptTokens,
      prompt_time: 0.000792801,
      completion_tokens: completionTokens,
      completion_time: 3.206170277,
      total_tokens: promptTokens + completionTokens,
      total_time: 3.206963078,
      prompt_tokens_details: cachedTokens > 0 ? { cached_tokens: cachedTokens } : undefined,
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  describeMessage: (reasoning, content) =>
    omitUndefined({ content: content ?? undefined, reasoning: reasoning === '' ? undefined : reasoning }),
});

function refuseForeignFields(body: Json): Refusal | undefined {
  const at = listObjects(body['messages']).findIndex((turn) => turn['reasoning_content'] !== undefined);
  if (at >= 0) return refuse(`'messages.${at}' : property 'reasoning_content' is unsupported`);
  return EFFORTS.includes(body['reasoning_effort'])
    ? undefined
    : refuse('`reasoning_effort` must be one of `low`, `medium`, or `high`', 'reasoning_effort');
}
