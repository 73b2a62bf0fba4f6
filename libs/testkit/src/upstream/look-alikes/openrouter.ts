import { omitUndefined } from '@mg/contract';
import { signReasoning } from '../dialects/sign-reasoning.js';
import { listObjects, readText, type Json } from '../json.js';
import { type Refusal, refuse } from '../request.js';
import { createLookAlike } from './look-alike.js';
import { writeCall } from './write-call.js';

const FORMAT = 'anthropic-claude-v1';

/**
 * OpenRouter: comments while it waits for the provider behind, reasoning twice with a signature behind them, and usage in
 * a last chunk that has an empty choice.
 */
export const openrouter = createLookAlike({
  name: 'openrouter',
  versionPath: '/api/v1',
  style: { comment: 'OPENROUTER PROCESSING' },
  capFields: ['max_completion_tokens', 'max_tokens'],
  refuse: refuseForgery,

  describeChunk: ({ identity: { id, created, model }, choices, usage }) => ({
    id: `gen-${created}-${id}`,
    provider: 'Anthropic',
    model,
    object: 'chat.completion.chunk',
    created,
    choices: choices.length > 0 ? choices : [describeChoice({ role: 'assistant', content: '' }, null)],
    ...omitUndefined({ usage }),
  }),
  describeChoice,
  reasoningDelta: (text) => ({
    role: 'assistant',
    content: '',
    reasoning: text,
    reasoning_details: [{ type: 'reasoning.text', text, format: FORMAT, index: 0 }],
  }),
  signatureDelta: (thought) => ({
    role: 'assistant',
    content: '',
    reasoning: null,
    reasoning_details: [{ type: 'reasoning.text', signature: sign(thought), format: FORMAT, index: 0 }],
  }),
  textDelta: (content) => ({ role: 'assistant', content }),
  callsTravel: 'in-fragments',
  describeCall: writeCall,
  besideCalls: { role: 'assistant', content: null },
  closing: { role: 'assistant', content: '' },

  usageStands: 'behind-the-end',
  reportsUsageUnasked: true,
  describeUsage: ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    cost: 0.000427,
    is_byok: false,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    cost_details: { upstream_inference_cost: null },
    completion_tokens_details: { reasoning_tokens: reasoningTokens, image_tokens: 0 },
  }),
  describeMessage: (thought, content) =>
    omitUndefined({
      content: content ?? '',
      refusal: null,
      reasoning: thought === '' ? null : thought,
      reasoning_details:
        thought === ''
          ? undefined
          : [{ type: 'reasoning.text', text: thought, signature: sign(thought), format: FORMAT, index: 0 }],
    }),
  describeError: (code, { message }) => ({ error: { message, code }, user_id: 'user_fake' }),
  describeErrorEvent: ({ message }) => ({
    id: 'gen-fake',
    object: 'chat.completion.chunk',
    error: { code: 'server_error', message },
    choices: [describeChoice({ content: '' }, 'error')],
  }),
});

function describeChoice(delta: Json, finish_reason: string | null): Json {
  return { index: 0, delta, finish_reason, native_finish_reason: finish_reason, logprobs: null };
}

function sign(thought: string): string {
  return signReasoning('openrouter', thought);
}

/** The provider behind checks the signature of each piece of reasoning that comes back. */
function refuseForgery(body: Json): Refusal | undefined {
  const details = listObjects(body['messages']).flatMap((turn) => listObjects(turn['reasoning_details']));
  const isForged = details.some((detail) => detail['signature'] !== sign(readText(detail['text'])));
  return isForged ? refuse('Provider returned error: Invalid `signature` in `thinking` block') : undefined;
}
