import type { ChatEnvelope } from '../chat/chat-envelope.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isTokenId } from '../schema/fields.js';
import { validate } from '../schema/validate.js';
import { completionRequest, DEFAULT_MAX_TOKENS, MAX_PROMPTS } from './request-schema.js';

/** Without a cap of the caller's own the protocol has one. */
export interface CompletionEnvelope extends ChatEnvelope {
  readonly maxTokens: number;
}

/**
 * Reads and checks a text completion request. `null` means the same as leaving a field out.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 * @see https://platform.openai.com/docs/api-reference/completions/create
 */
export function readCompletionEnvelope(body: Buffer): CompletionEnvelope {
  const parsed = parseRequestBody(body);
  const fields = validate(completionRequest, parsed);
  const prompts = countPrompts(fields.prompt);
  const cap = fields.max_tokens ?? undefined;
  refuseOtherCaps(parsed, cap);
  return {
    model: fields.model,
    stream: fields.stream === true,
    includeUsage: fields.stream_options?.include_usage === true,
    choices: prompts * Math.max(fields.n ?? 1, fields.best_of ?? 1),
    maxTokens: cap ?? DEFAULT_MAX_TOKENS,
    parsed,
  };
}

/** A prompt is a text or an array of tokens; an array of either is several prompts. */
function countPrompts(prompt: unknown): number {
  if (prompt === undefined || prompt === null || typeof prompt === 'string') return 1;
  if (!Array.isArray(prompt) || prompt.length === 0) {
    return refuseField('prompt', 'must be a string, or an array of strings or of tokens');
  }
  if (areTokens(prompt)) return 1;
  if (prompt.length > MAX_PROMPTS) refuseField('prompt', `must hold at most ${MAX_PROMPTS} prompts`);
  const texts = typeof prompt[0] === 'string';
  prompt.forEach((one: unknown, index) => {
    const fits = texts ? typeof one === 'string' : Array.isArray(one) && areTokens(one);
    if (!fits)
      refuseField(`prompt[${index}]`, 'must be like the other prompts: a string, or an array of tokens');
  });
  return prompt.length;
}

function areTokens(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every(isTokenId);
}
