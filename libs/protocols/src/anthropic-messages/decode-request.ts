import { omitUndefined } from '@mg/contract';
import type { Block, Turn } from '../canonical/blocks.js';
import {
  checkCount,
  checkFlag,
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
import { decodeContent } from './decode-blocks.js';
import { readSearchTool } from './web-search.js';

const HOME = 'anthropic-messages';

const FIELDS = new Set([
  'model',
  'messages',
  'system',
  'stream',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'service_tier',
]);

/**
 * Reads a messages request.
 *
 * @throws GatewayError naming the field that is wrong.
 * @see https://docs.claude.com/en/api/messages
 */
export function* decodeInSteps(body: JsonObject, model: string, stream: boolean): Steps<CanonicalRequest> {
  if (isTooDeep(body)) refuseField('body', 'is nested too deep');
  const output = checkObject(body, 'output_config') ?? {};
  const format = checkObject(output, 'format', 'output_config') ?? checkObject(body, 'output_format');
  const metadata = checkObject(body, 'metadata') ?? {};
  const tools = decodeTools(body);
  return {
    model,
    stream,
    includeUsage: true,
    turns: yield* decodeTurns(body),
    ...tools,
    ...decodeChoice(checkObject(body, 'tool_choice')),
    maxTokens: checkCount(body, 'max_tokens'),
    temperature: checkNumber(body, 'temperature'),
    topP: checkNumber(body, 'top_p'),
    topK: checkNumber(body, 'top_k'),
    stop: decodeStop(body.stop_sequences),
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
    choices: 1,
    logprobs: undefined,
    reasoning: decodeReasoning(checkObject(body, 'thinking'), output.effort),
    output: decodeFormat(format),
    user: checkText(metadata, 'user_id', 'metadata'),
    serviceTier: decodeTier(checkText(body, 'service_tier')),
    ext: decodeRest(body, output, metadata),
  };
}

function* decodeTurns(body: JsonObject): Steps<readonly Turn[]> {
  const turns: Turn[] = [];
  if (body.system !== undefined && body.system !== null) {
    turns.push({ role: 'system', blocks: decodeContent(body.system, 'system') });
  }
  for (const { item, name } of checkObjects(body, 'messages')) {
    yield;
    const role = item.role;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') {
      return refuseField(`${name}.role`, 'must be one of user, assistant, system');
    }
    turns.push(placeAt(name, { role, blocks: decodeContent(item.content, `${name}.content`) }));
  }
  return yield* nameResults(turns);
}

/** A result does not repeat the name of its tool: it is looked up from the call. */
function* nameResults(turns: readonly Turn[]): Steps<Turn[]> {
  const names = new Map<string, string>();
  const nameResult = (block: Block): Block => {
    if (block.type === 'tool-call') names.set(block.id, block.name);
    if (block.type !== 'tool-result') return block;
    return { ...block, name: names.get(block.callId) };
  };
  const named: Turn[] = [];
  for (const turn of turns) {
    yield;
    named.push({ ...turn, blocks: turn.blocks.map(nameResult) });
  }
  return named;
}

const TOOL_FIELDS = new Set(['type', 'name', 'description', 'input_schema', 'strict']);
/** Tools that this protocol declares by a name of its own and the client runs itself. */
const CLIENT_TOOLS = /^(bash|text_editor|computer|memory)_/;

function decodeTools(body: JsonObject): {
  readonly tools: readonly ToolDefinition[];
  readonly serverTools: readonly ServerTool[];
} {
  limitTools(body.tools);
  const tools: ToolDefinition[] = [];
  const serverTools: ServerTool[] = [];
  for (const { item, name } of checkObjects(body, 'tools')) {
    const type = checkText(item, 'type', name);
    if (type !== undefined && type !== 'custom') {
      const search = readSearchTool(item);
      serverTools.push(
        omitUndefined({
          protocol: HOME,
          name: checkText(item, 'name', name) ?? type,
          raw: placeAt(name, item),
          search,
          runsAtClient: CLIENT_TOOLS.test(type) ? true : undefined,
        }),
      );
      continue;
    }
    tools.push(placeAt(name, decodeTool(item, name)));
  }
  return { tools, serverTools };
}

function decodeTool(item: JsonObject, path: string): ToolDefinition {
  return {
    name: limitToolName(needText(item, 'name', path), `${path}.name`),
    description: checkText(item, 'description', path),
    parameters: checkSchema(item, 'input_schema', path),
    strict: checkFlag(item, 'strict', path),
    ...extend(HOME, pickRest(item, TOOL_FIELDS)),
  };
}

function decodeChoice(choice: JsonObject | undefined): {
  readonly toolChoice: ToolChoice | undefined;
  readonly parallelToolCalls: boolean | undefined;
} {
  if (!choice) return { toolChoice: undefined, parallelToolCalls: undefined };
  const single = checkFlag(choice, 'disable_parallel_tool_use', 'tool_choice');
  return {
    toolChoice: decodeChoiceMode(choice),
    parallelToolCalls: single === undefined ? undefined : !single,
  };
}

function decodeChoiceMode(choice: JsonObject): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'any':
    case 'none':
      return { mode: choice.type };
    case 'tool':
      return { mode: 'one', name: needText(choice, 'name', 'tool_choice') };
    default:
      return refuseField('tool_choice.type', 'must be one of auto, any, tool, none');
  }
}

function decodeStop(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return limitStops([value], 'stop_sequences');
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
    return refuseField('stop_sequences', 'must be an array of strings');
  }
  return limitStops(value, 'stop_sequences');
}

function decodeReasoning(thinking: JsonObject | undefined, effort: unknown): ReasoningRequest | undefined {
  const wanted = isEffort(effort) ? effort : undefined;
  if (!thinking) {
    if (wanted === undefined) return undefined;
    return { effort: wanted, budgetTokens: undefined, adaptive: false, show: undefined };
  }
  if (thinking.type === 'disabled') {
    return { effort: 'none', budgetTokens: undefined, adaptive: false, show: undefined };
  }
  const budgetTokens = checkCount(thinking, 'budget_tokens', 'thinking');
  const show = thinking.display === undefined ? undefined : thinking.display !== 'omitted';
  return { effort: wanted, budgetTokens, adaptive: thinking.type !== 'enabled', show };
}

function decodeFormat(format: JsonObject | undefined): OutputFormat | undefined {
  if (!format) return undefined;
  if (format.type !== 'json_schema') return refuseField('output_config.format.type', 'must be json_schema');
  const schema = checkObject(format, 'schema', 'output_config.format');
  if (!schema) return refuseField('output_config.format.schema', 'must be an object');
  return { type: 'schema', name: undefined, schema, strict: undefined };
}

function decodeTier(tier: string | undefined): string | undefined {
  return tier === 'standard_only' ? 'default' : tier;
}

function decodeRest(body: JsonObject, output: JsonObject, metadata: JsonObject): CanonicalRequest['ext'] {
  const rest = pickRest(body, FIELDS) ?? {};
  const known = new Set(['format', ...(isEffort(output.effort) ? ['effort'] : [])]);
  const outputRest = pickRest(output, known);
  const metadataRest = pickRest(metadata, new Set(['user_id']));
  if (outputRest) rest.output_config = outputRest;
  if (metadataRest) rest.metadata = metadataRest;
  const { thinking } = body;
  const effortBesideOff = isObject(thinking) && thinking.type === 'disabled' && isEffort(output.effort);
  if (effortBesideOff) rest.output_config = { ...outputRest, effort: output.effort };
  return Object.keys(rest).length > 0 ? { [HOME]: rest } : {};
}
