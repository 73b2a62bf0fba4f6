import {
  checkCount,
  checkFlag,
  checkNumber,
  checkObject,
  checkText,
  pickRest,
} from '../canonical/check-fields.js';
import { isEffort } from '../canonical/nearest-effort.js';
import { readList, readText } from '../canonical/read-fields.js';
import { placeAt } from '../canonical/places.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import type { CanonicalRequest, OutputFormat, ReasoningRequest } from '../canonical/request.js';
import type { Turn } from '../canonical/blocks.js';
import { isObject, type JsonObject } from '../json.js';
import { decodeInput } from './decode-input.js';
import { decodeTools, decodeToolChoice } from './decode-tools.js';
import { refuseStoredState } from './read-envelope.js';

const READ = new Set(
  (
    'model stream input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature top_p ' +
    'top_logprobs include reasoning text user safety_identifier service_tier previous_response_id background ' +
    'conversation prompt'
  ).split(' '),
);
/** What may be included: these two have canonical places. */
const ENCRYPTED = 'reasoning.encrypted_content';
const LOGPROBS = 'message.output_text.logprobs';

/**
 * Reads a request of OpenAI's Responses API, without its memory: what refers to stored state is refused.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function* decodeInSteps(body: JsonObject, model: string, stream: boolean): Steps<CanonicalRequest> {
  if (isTooDeep(body)) refuseField('body', 'is nested too deeply');
  refuseStoredState(body);
  const include = readList(body.include);
  const topLogprobs = checkCount(body, 'top_logprobs');
  const wantsLogprobs = include.includes(LOGPROBS) || (topLogprobs !== undefined && topLogprobs > 0);
  return {
    model,
    stream,
    includeUsage: true,
    turns: yield* decodeTurns(body),
    ...decodeTools(body),
    toolChoice: decodeToolChoice(body.tool_choice),
    parallelToolCalls: checkFlag(body, 'parallel_tool_calls'),
    maxTokens: checkCount(body, 'max_output_tokens'),
    temperature: checkNumber(body, 'temperature'),
    topP: checkNumber(body, 'top_p'),
    topK: undefined,
    stop: [],
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
    choices: 1,
    logprobs: wantsLogprobs ? { top: topLogprobs ?? 0 } : undefined,
    reasoning: decodeReasoning(checkObject(body, 'reasoning')),
    output: decodeFormat(checkObject(body, 'text')),
    user: checkText(body, 'safety_identifier') ?? checkText(body, 'user'),
    serviceTier: checkText(body, 'service_tier'),
    ext: decodeExtensions(body, include),
  };
}

function* decodeTurns(body: JsonObject): Steps<Turn[]> {
  const instructions = checkText(body, 'instructions');
  const system: Turn[] =
    instructions === undefined || instructions === ''
      ? []
      : [placeAt('instructions', { role: 'system', blocks: [{ type: 'text', text: instructions }] })];
  const turns = [...system, ...(yield* decodeInput(body.input))];
  return turns.length === 0 ? refuseField('input', 'must not be empty') : turns;
}

function decodeReasoning(reasoning: JsonObject | undefined): ReasoningRequest | undefined {
  if (!reasoning) return undefined;
  const effort = reasoning.effort ?? undefined;
  if (effort !== undefined && !isEffort(effort)) {
    refuseField('reasoning.effort', 'must be none, minimal, low, medium, high, xhigh or max');
  }
  const summary = reasoning.summary ?? reasoning.generate_summary ?? undefined;
  if (effort === undefined && summary === undefined) return undefined;
  return { effort, budgetTokens: undefined, adaptive: false, show: summary === undefined ? undefined : true };
}

function decodeFormat(text: JsonObject | undefined): OutputFormat | undefined {
  if (text?.format === undefined || text.format === null) return undefined;
  const format = isObject(text.format) ? text.format : refuseField('text.format', 'must be an object');
  switch (format.type) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type: 'json' };
    case 'json_schema':
      return {
        type: 'schema',
        name: checkText(format, 'name', 'text.format'),
        schema:
          checkObject(format, 'schema', 'text.format') ??
          refuseField('text.format.schema', 'must be an object'),
        strict: checkFlag(format, 'strict', 'text.format'),
      };
    default:
      return refuseField('text.format.type', 'must be text, json_object or json_schema');
  }
}

/** Hints without a canonical place; what only says the default is left out. */
function decodeExtensions(body: JsonObject, include: readonly unknown[]): CanonicalRequest['ext'] {
  const rest: JsonObject = { ...pickRest(body, READ) };
  if (rest.store === false) delete rest.store;
  if (rest.truncation === 'disabled') delete rest.truncation;
  const others = include.filter((name) => name !== ENCRYPTED && name !== LOGPROBS);
  if (others.length > 0) rest.include = others;
  const verbosity = isObject(body.text) ? readText(body.text.verbosity) : undefined;
  if (verbosity !== undefined) rest['text.verbosity'] = verbosity;
  return Object.keys(rest).length === 0 ? {} : { 'openai-responses': rest };
}
