import { isBlank } from '../canonical/blank-text.js';
import { omitUndefined } from '@mg/contract';
import {
  checkCount,
  checkFlag,
  checkNumber,
  checkObject,
  checkText,
  pickRest,
} from '../canonical/check-fields.js';
import { limitStops } from '../canonical/limit-items.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { JsonObject } from '../json.js';
import { DEFAULT_MAX_TOKENS } from './request-schema.js';

const HOME = 'openai-completions';

const FIELDS = new Set([
  'model',
  'prompt',
  'stream',
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'logprobs',
  'user',
]);

/**
 * Reads a text completion request: the prompt is what the user says. Several prompts, tokens and no prompt at all are
 * kept for this protocol alone, and so are `suffix`, `echo` and `best_of`.
 *
 * @throws GatewayError naming the field that is wrong.
 * @see https://platform.openai.com/docs/api-reference/completions/create
 */
export function decodeRequest(body: JsonObject, model: string, stream: boolean): CanonicalRequest {
  if (isTooDeep(body)) refuseField('body', 'is nested too deep');
  const options = checkObject(body, 'stream_options') ?? {};
  const text = readSinglePrompt(body.prompt);
  const top = checkCount(body, 'logprobs');
  const rest = {
    ...pickRest(body, FIELDS),
    ...omitUndefined({ prompt: text === undefined ? (body.prompt ?? '') : undefined }),
  };
  return {
    model,
    stream,
    includeUsage: checkFlag(options, 'include_usage', 'stream_options') === true,
    turns: text === undefined ? [] : [{ role: 'user', blocks: [{ type: 'text', text }] }],
    tools: [],
    serverTools: [],
    toolChoice: undefined,
    parallelToolCalls: undefined,
    maxTokens: checkCount(body, 'max_tokens') ?? DEFAULT_MAX_TOKENS,
    temperature: checkNumber(body, 'temperature'),
    topP: checkNumber(body, 'top_p'),
    topK: checkNumber(body, 'top_k'),
    stop: decodeStop(body.stop),
    seed: checkNumber(body, 'seed'),
    presencePenalty: checkNumber(body, 'presence_penalty'),
    frequencyPenalty: checkNumber(body, 'frequency_penalty'),
    choices: Math.max(1, checkCount(body, 'n') ?? 1),
    logprobs: top === undefined ? undefined : { top },
    reasoning: undefined,
    output: undefined,
    user: checkText(body, 'user'),
    serviceTier: undefined,
    ext: Object.keys(rest).length === 0 ? {} : { [HOME]: rest },
  };
}

/** The one text that is to be continued, if the prompt is that. */
function readSinglePrompt(prompt: unknown): string | undefined {
  const only: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt;
  if (typeof only === 'string') return isBlank(only) ? undefined : only;
  if (only === undefined || only === null || Array.isArray(prompt)) return undefined;
  return refuseField('prompt', 'must be a string, or an array of strings or of tokens');
}

function decodeStop(stop: unknown): readonly string[] {
  if (stop === undefined || stop === null) return [];
  if (typeof stop === 'string') return limitStops([stop]);
  if (Array.isArray(stop) && stop.every((entry) => typeof entry === 'string')) return limitStops(stop);
  return refuseField('stop', 'must be a string or an array of strings');
}
