import { checkModel } from '../canonical/check-model.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';

/** What the gateway must know of a text completion request; everything else stays in the raw bytes. */
export interface CompletionEnvelope {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client asked for a usage event in its stream. */
  readonly includeUsage: boolean;
  /** Answers that are produced: for each prompt as many as asked for, or as the best are chosen from. */
  readonly choices: number;
  /** The caller's own cap on the length of one answer, or the protocol's, in tokens. */
  readonly maxTokens: number;
  readonly parsed: JsonObject;
}

/** Length of an answer for which the caller set no cap, by the definition of this protocol. */
export const DEFAULT_MAX_TOKENS = 16;
const MAX_PROMPTS = 2_048;
const MAX_CHOICES = 128;
const MAX_TOKENS = 10_000_000;
const MAX_LOGPROBS = 100;

/**
 * Reads and checks a text completion request. `null` means the same as leaving a field out.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 * @see https://platform.openai.com/docs/api-reference/completions/create
 */
export function readCompletionEnvelope(body: Buffer): CompletionEnvelope {
  const parsed = parseRequestBody(body);
  const model = checkModel(parsed);
  for (const field of ['stream', 'echo']) checkFlag(parsed[field], field);
  checkNumberIn(parsed.temperature, 'temperature', 0, 2);
  checkNumberIn(parsed.top_p, 'top_p', 0, 1);
  readCount(parsed, 'logprobs', 0, MAX_LOGPROBS);
  if (!isAbsent(parsed.suffix) && typeof parsed.suffix !== 'string') {
    refuseField('suffix', 'must be a string');
  }
  const wanted = readCount(parsed, 'n', 1, MAX_CHOICES) ?? 1;
  const cap = readCount(parsed, 'max_tokens', 0, MAX_TOKENS);
  refuseOtherCaps(parsed, cap);
  const made = readCount(parsed, 'best_of', 0, MAX_CHOICES) ?? 1;
  return {
    model,
    stream: parsed.stream === true,
    includeUsage: readIncludeUsage(parsed.stream_options),
    choices: countPrompts(parsed.prompt) * Math.max(wanted, made),
    maxTokens: cap ?? DEFAULT_MAX_TOKENS,
    parsed,
  };
}

function readIncludeUsage(options: unknown): boolean {
  if (isAbsent(options)) return false;
  if (!isObject(options)) return refuseField('stream_options', 'must be an object');
  checkFlag(options.include_usage, 'stream_options.include_usage');
  return options.include_usage === true;
}

/** A prompt is a text or an array of tokens; an array of either is several prompts. */
function countPrompts(prompt: unknown): number {
  if (isAbsent(prompt) || typeof prompt === 'string') return 1;
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
  return list.length > 0 && list.every((token) => Number.isSafeInteger(token) && (token as number) >= 0);
}

function readCount(parsed: JsonObject, field: string, low: number, high: number): number | undefined {
  const value = parsed[field];
  if (isAbsent(value)) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
  return refuseField(field, `must be an integer from ${low} to ${high}`);
}

function checkNumberIn(value: unknown, field: string, low: number, high: number): void {
  if (isAbsent(value) || (typeof value === 'number' && value >= low && value <= high)) return;
  refuseField(field, `must be a number from ${low} to ${high}`);
}

function checkFlag(value: unknown, field: string): void {
  if (!isAbsent(value) && typeof value !== 'boolean') refuseField(field, 'must be true or false');
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
