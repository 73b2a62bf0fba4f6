import { omitUndefined } from '@mg/contract';
import { filterServerTools, isSearchForced, readAllowedNames } from '../canonical/filter-server-tools.js';
import { placeOf } from '../canonical/places.js';
import { refuseForChannel } from '../canonical/refuse.js';
import type { CanonicalRequest, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { closedSchemas } from '../canonical/schema-rules.js';
import { adaptToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { structuredSchemas } from '../canonical/adapt-schema.js';
import { OUTPUT_AFTER_TOOLS, OUTPUT_TOOL } from '../canonical/output-tool.js';
import { SEARCH_NAME, writeSearchTool } from './web-search.js';
import type { AnthropicMessagesContext } from './traits.js';

const HOME = 'anthropic-messages';
const NAMES = { pattern: /^[a-zA-Z0-9_-]{1,128}$/, maxLength: 128 };

export interface EncodedTools {
  readonly tools: readonly JsonObject[];
  readonly choice: JsonObject | undefined;
  /** Whether a call is forced: models do not think then. */
  readonly forced: boolean;
}

/** Writes the tools and the choice among them. @throws GatewayError */
export function encodeTools(request: CanonicalRequest, context: AnthropicMessagesContext): EncodedTools {
  if (needsOutputTool(request, context) && mayAnswer(request)) return encodeOutputTool(request, context);
  const names = readAllowedNames(request.toolChoice);
  const offered = names ? request.tools.filter((tool) => names.has(tool.name)) : request.tools;
  const tools = [
    ...offered.map((tool) => encodeTool(tool, context)),
    ...filterServerTools(request, HOME, context, writeSearchTool(context)),
  ];
  const choice = tools.length === 0 ? undefined : encodeChoice(request, context);
  return { tools, choice, forced: choice?.type === 'any' || choice?.type === 'tool' };
}

/** A tool's name as this protocol takes it. @throws GatewayError when there is no way to write it. */
export function encodeToolName(
  name: string,
  context: AnthropicMessagesContext,
  place = 'tool_choice',
): string {
  return (
    adaptToolName(name, NAMES) ??
    refuseForChannel(place, `the name ${JSON.stringify(name.slice(0, 200))} is too long for it`, context)
  );
}

function encodeTool(tool: ToolDefinition, context: AnthropicMessagesContext): JsonObject {
  const parameters = tool.parameters ?? {};
  const schema = parameters.type === undefined ? { type: 'object', ...parameters } : parameters;
  const input = tool.parameters ? schema : { type: 'object', properties: {} };
  const strict = keepsStrict(tool, context);
  return omitUndefined({
    name: encodeToolName(tool.name, context, `${placeOf(tool, 'tools')}.name`),
    description: tool.description,
    input_schema: strict ? structuredSchemas.of(input) : input,
    strict: strict ? true : undefined,
    ...tool.ext?.[HOME],
  });
}

function keepsStrict(tool: ToolDefinition, context: AnthropicMessagesContext): boolean {
  if (tool.strict !== true) return false;
  if (context.traits.supportsJsonSchema !== false && closedSchemas.of(tool.parameters ?? {})) return true;
  context.dropped.add(`${placeOf(tool, 'tools')}.strict`);
  return false;
}

function encodeChoice(request: CanonicalRequest, context: AnthropicMessagesContext): JsonObject | undefined {
  const single = request.parallelToolCalls === false;
  const choice = request.toolChoice;
  if (!choice && request.parallelToolCalls === undefined) return undefined;
  const encoded = isSearchForced(request, HOME)
    ? { type: 'tool', name: SEARCH_NAME }
    : encodeChoiceMode(choice ?? { mode: 'auto' }, context);
  if (
    context.traits.supportsForcedToolChoice === false &&
    (encoded.type === 'any' || encoded.type === 'tool')
  ) {
    refuseForChannel('tool_choice', 'its model decides by itself whether to call a tool', context);
  }
  if (encoded.type === 'none') return encoded;
  return single ? { ...encoded, disable_parallel_tool_use: true } : choice ? encoded : undefined;
}

function encodeChoiceMode(choice: ToolChoice, context: AnthropicMessagesContext): JsonObject {
  return choice.mode === 'one'
    ? { type: 'tool', name: encodeToolName(choice.name, context) }
    : { type: choice.mode };
}

function needsOutputTool(request: CanonicalRequest, context: AnthropicMessagesContext): boolean {
  return request.output?.type === 'schema' && context.traits.supportsJsonSchema === false;
}

/** Whether the caller leaves it to the model to answer: one that has to call a certain tool does not answer yet. */
function mayAnswer({ tools, toolChoice }: CanonicalRequest): boolean {
  if (tools.length === 0 || !toolChoice) return true;
  return toolChoice.mode === 'none' || (toolChoice.mode !== 'one' && !toolChoice.names);
}

function encodeOutputTool(request: CanonicalRequest, context: AnthropicMessagesContext): EncodedTools {
  const schema = request.output?.type === 'schema' ? request.output.schema : {};
  const others = request.toolChoice?.mode === 'none' ? [] : request.tools;
  const description = others.length === 0 ? 'Gives the answer.' : OUTPUT_AFTER_TOOLS;
  const single = request.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  return {
    tools: [
      ...others.map((tool) => encodeTool(tool, context)),
      { name: OUTPUT_TOOL, description, input_schema: schema },
    ],
    choice: others.length === 0 ? { type: 'tool', name: OUTPUT_TOOL } : { type: 'any', ...single },
    forced: true,
  };
}
