import { omitUndefined } from '@mg/contract';
import { findUnknown, findUnknownIn, listWords } from '../dialects/refuse-unknown.js';
import { type Json, listObjects, readText } from '../json.js';
import { type Refusal, refuse } from '../request.js';
import { createLookAlike } from './look-alike.js';

const FIELDS = listWords(
  'model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice ' +
    'presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode safe_prompt ' +
    'reasoning_effort metadata prompt_cache_key guardrails',
);
const TURN_FIELDS = listWords('role content tool_calls prefix tool_call_id name');
const ROLES = listWords('system user assistant tool');
const CALL_ID = /^[a-zA-Z0-9]{9}$/;

/** Mistral: contents in parts where it thinks, ids of nine characters, all calls at once with the end, no unknown field. */
export const mistral = createLookAlike({
  name: 'mistral',
  versionPath: '/v1',
  capFields: ['max_tokens'],
  refuse: refuseStrictly,
  refusalStatus: 422,
  thinks: (body) => body['reasoning_effort'] === 'high',

  describeChunk: ({ identity: { id, created, model }, choices, usage }) =>
    omitUndefined({ id, object: 'chat.completion.chunk', created, model, choices, usage }),
  describeChoice: (delta, finish_reason) => ({ index: 0, delta, finish_reason, logprobs: null }),
  opening: { role: 'assistant', content: '' },
  reasoningDelta: (text) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
  textDelta: (text, isAfterReasoning) => ({
    content: isAfterReasoning ? [{ type: 'text', text }] : text,
  }),
  callsTravel: 'with-the-end',
  describeCall: ({ index, id, name, arguments: args }) => ({
    id: nameCall(id),
    function: { name, arguments: args },
    index,
  }),
  besideCalls: { content: null },
  closing: { content: '' },

  usageStands: 'with-the-end',
  describeUsage: ({ promptTokens, cachedTokens, completionTokens }) =>
    omitUndefined({
      prompt_tokens: promptTokens,
      total_tokens: promptTokens + completionTokens,
      completion_tokens: completionTokens,
      prompt_tokens_details: cachedTokens > 0 ? { cached_tokens: cachedTokens } : undefined,
    }),
  describeMessage: (thought, text) =>
    thought === ''
      ? { content: text ?? '' }
      : {
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: thought }] },
            ...(text === null ? [] : [{ type: 'text', text }]),
          ],
        },
  describeError: (status, { message, param, code }) =>
    status === 422
      ? {
          object: 'error',
          message: { detail: [{ type: 'extra_forbidden', loc: ['body', param], msg: message }] },
          type: 'invalid_request_error',
          param: null,
          code: null,
        }
      : { object: 'error', message, type: 'invalid_request_error', param: null, code },
});

/** Two calls of one turn differ in their last character. */
function nameCall(id: string): string {
  return id
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .slice(-9)
    .padStart(9, 'x');
}

function refuseStrictly(body: Json): Refusal | undefined {
  const turns = listObjects(body['messages']);
  const unknown = findUnknown(body, FIELDS) ?? findUnknownIn(turns, TURN_FIELDS, (at) => `messages.${at}`);
  if (unknown !== undefined) return refuse('Extra inputs are not permitted', unknown);
  const role = turns.map((turn) => readText(turn['role'])).find((name) => !ROLES.includes(name));
  if (role !== undefined) return refuse(`Input tag '${role}' does not match any of the expected tags`, role);
  const ids = turns.flatMap((turn) => listObjects(turn['tool_calls']).map((call) => readText(call['id'])));
  const odd = ids.find((id) => !CALL_ID.test(id));
  return odd === undefined
    ? undefined
    : refuse(`Tool call id was ${odd} but must be a-z, A-Z, 0-9, with a length of 9.`);
}
