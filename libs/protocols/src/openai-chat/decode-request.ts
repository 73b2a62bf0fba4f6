import { omitUndefined } from '@mg/contract';
import {
  checkCount,
  checkFlag,
  checkList,
  checkNumber,
  checkObject,
  checkObjects,
  checkSchema,
  checkText,
  extend,
  needText,
  pickRest,
} from '../canonical/check-fields.js';
import { isEffort } from '../canonical/nearest-effort.js';
import { placeAt } from '../canonical/places.js';
import { limitStops, limitTools } from '../canonical/limit-items.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import type {
  CanonicalRequest,
  OutputFormat,
  ReasoningRequest,
  ServerTool,
  ToolChoice,
  ToolDefinition,
} from '../canonical/request.js';
import { limitToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { decodeMessages } from './decode-messages.js';
import { readSearchOptions, SEARCH_OPTIONS } from './web-search.js';

const HOME = 'openai-chat';

const FIELDS = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'logprobs',
  'top_logprobs',
  'reasoning_effort',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'web_search_options',
  'function_call',
  'user',
  'safety_identifier',
  'service_tier',
]);

/**
 * Reads a chat completion request.
 *
 * @throws GatewayError naming the field that is wrong.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function* decodeInSteps(body: JsonObject, model: string, stream: boolean): Steps<CanonicalRequest> {
  if (isTooDeep(body)) refuseField('body', 'is nested too deep');
  const options = checkObject(body, 'stream_options') ?? {};
  const rest = pickRest(body, FIELDS);
  return {
    model,
    stream,
    includeUsage: checkFlag(options, 'include_usage', 'stream_options') === true,
    turns: yield* decodeMessages(body),
    ...decodeTools(body),
    toolChoice: decodeChoice(body.tool_choice) ?? decodeFunctionChoice(body.function_call),
    parallelToolCalls: checkFlag(body, 'parallel_tool_calls') ?? decodeSingleCall(body),
    maxTokens: checkCount(body, 'max_completion_tokens') ?? checkCount(body, 'max_tokens'),
    temperature: checkNumber(body, 'temperature'),
    topP: checkNumber(body, 'top_p'),
    topK: checkNumber(body, 'top_k'),
    stop: decodeStop(body.stop),
    seed: checkNumber(body, 'seed'),
    presencePenalty: checkNumber(body, 'presence_penalty'),
    frequencyPenalty: checkNumber(body, 'frequency_penalty'),
    choices: Math.max(1, checkCount(body, 'n') ?? 1),
    logprobs: checkFlag(body, 'logprobs') ? { top: checkCount(body, 'top_logprobs') ?? 0 } : undefined,
    reasoning: decodeReasoning(body.reasoning_effort),
    output: decodeFormat(checkObject(body, 'response_format')),
    user: checkText(body, 'safety_identifier') ?? checkText(body, 'user'),
    serviceTier: checkText(body, 'service_tier'),
    ext: rest ? { [HOME]: rest } : {},
  };
}

/** Answers to the deprecated functions have room for one call. */
function decodeSingleCall(body: JsonObject): false | undefined {
  return checkList(body, 'functions').length > 0 ? false : undefined;
}

function decodeTools(body: JsonObject): {
  readonly tools: readonly ToolDefinition[];
  readonly serverTools: readonly ServerTool[];
} {
  limitTools(body.tools);
  limitTools(body.functions, 'functions');
  const tools: ToolDefinition[] = [];
  const serverTools: ServerTool[] = [];
  for (const { item, name } of checkObjects(body, 'tools')) {
    const type = checkText(item, 'type', name) ?? 'function';
    if (type === 'function') {
      const declared =
        checkObject(item, 'function', name) ?? refuseField(`${name}.function`, 'must be an object');
      const beside = pickRest(item, new Set(['type', 'function']));
      const path = `${name}.function`;
      tools.push(placeAt(path, { ...decodeFunction(declared, path), ...extend(HOME, beside) }));
      continue;
    }
    const custom = checkObject(item, 'custom', name);
    serverTools.push(
      omitUndefined({
        protocol: HOME,
        name: (custom && checkText(custom, 'name', `${name}.custom`)) ?? type,
        raw: placeAt(name, item),
        runsAtClient: type === 'custom' ? true : undefined,
      }),
    );
  }
  for (const { item, name } of checkObjects(body, 'functions')) {
    tools.push(placeAt(name, decodeFunction(item, name)));
  }
  const options = checkObject(body, SEARCH_OPTIONS);
  if (options) {
    const search = readSearchOptions(options);
    const raw = placeAt(SEARCH_OPTIONS, options);
    serverTools.push({ protocol: HOME, name: SEARCH_OPTIONS, raw, search, required: true });
  }
  return { tools, serverTools };
}

function decodeFunction(declared: JsonObject, path: string): ToolDefinition {
  return {
    name: limitToolName(needText(declared, 'name', path), `${path}.name`),
    description: checkText(declared, 'description', path),
    parameters: checkSchema(declared, 'parameters', path),
    strict: checkFlag(declared, 'strict', path),
  };
}

const MODES: ReadonlyMap<unknown, ToolChoice> = new Map<unknown, ToolChoice>([
  ['auto', { mode: 'auto' }],
  ['required', { mode: 'any' }],
  ['any', { mode: 'any' }],
  ['none', { mode: 'none' }],
]);

function decodeChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  const mode = MODES.get(choice);
  if (mode) return mode;
  if (!isObject(choice))
    return refuseField('tool_choice', 'must be one of auto, none, required, or an object');
  if (choice.type === 'allowed_tools') return decodeAllowed(choice);
  const named = checkObject(choice, choice.type === 'custom' ? 'custom' : 'function', 'tool_choice');
  if (named) return { mode: 'one', name: needText(named, 'name', 'tool_choice.function') };
  return { mode: 'one', name: needText(choice, 'type', 'tool_choice') };
}

function decodeAllowed(choice: JsonObject): ToolChoice {
  const path = 'tool_choice.allowed_tools';
  const allowed = checkObject(choice, 'allowed_tools', 'tool_choice') ?? choice;
  limitTools(allowed.tools, `${path}.tools`);
  const names = checkObjects(allowed, 'tools', path).map(({ item, name }) => {
    const named = checkObject(item, 'function', name) ?? item;
    return limitToolName(needText(named, 'name', name), `${name}.name`);
  });
  return { mode: allowed.mode === 'required' ? 'any' : 'auto', names };
}

function decodeFunctionChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (isObject(choice)) return { mode: 'one', name: needText(choice, 'name', 'function_call') };
  return MODES.get(choice) ?? refuseField('function_call', 'must be one of auto, none, or an object');
}

function decodeStop(stop: unknown): readonly string[] {
  if (stop === undefined || stop === null) return [];
  if (typeof stop === 'string') return limitStops([stop]);
  if (Array.isArray(stop) && stop.every((entry) => typeof entry === 'string')) return limitStops(stop);
  return refuseField('stop', 'must be a string or an array of strings');
}

function decodeReasoning(effort: unknown): ReasoningRequest | undefined {
  if (effort === undefined || effort === null) return undefined;
  if (!isEffort(effort)) {
    return refuseField('reasoning_effort', 'must be one of none, minimal, low, medium, high, xhigh, max');
  }
  return { effort, budgetTokens: undefined, adaptive: false, show: undefined };
}

function decodeFormat(format: JsonObject | undefined): OutputFormat | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  if (format.type !== 'json_schema') {
    return refuseField('response_format.type', 'must be one of text, json_object, json_schema');
  }
  const path = 'response_format.json_schema';
  const named =
    checkObject(format, 'json_schema', 'response_format') ?? refuseField(path, 'must be an object');
  return {
    type: 'schema',
    name: checkText(named, 'name', path),
    schema: checkObject(named, 'schema', path) ?? {},
    strict: checkFlag(named, 'strict', path),
  };
}
