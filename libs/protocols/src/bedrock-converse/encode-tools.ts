import { omitUndefined } from '@mg/contract';
import { structuredSchemas } from '../canonical/adapt-schema.js';
import { filterServerTools, readAllowedNames } from '../canonical/filter-server-tools.js';
import { placeOf } from '../canonical/places.js';
import { refuseForChannel } from '../canonical/refuse.js';
import type { CanonicalRequest, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { closedSchemas } from '../canonical/schema-rules.js';
import { adaptToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { HOME } from './decode-content.js';
import type { BedrockConverseContext } from './traits.js';

const NAMES = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };
const ANY_OBJECT: JsonObject = { type: 'object', properties: {} };

export interface EncodedTools {
  readonly config: JsonObject | undefined;
  /** Whether tools had to be declared although none may be called: then only the prompt can say so. */
  readonly forbidden: boolean;
}

/**
 * Writes the tools and the choice among them. A conversation that holds calls has to declare tools, and no choice forbids
 * them all: those of the history are declared then, and the caller of this learns of it.
 *
 * @throws GatewayError
 */
export function encodeTools(request: CanonicalRequest, context: BedrockConverseContext): EncodedTools {
  const { toolChoice } = request;
  const serverTools = filterServerTools(request, HOME, context);
  const calls = listCalledTools(request);
  if (request.parallelToolCalls === false) context.dropped.add('parallel_tool_calls');
  if (toolChoice?.mode === 'none' && calls.length === 0) return { config: undefined, forbidden: false };
  const names = readAllowedNames(toolChoice);
  const offered = names ? request.tools.filter((tool) => names.has(tool.name)) : request.tools;
  const declared = [...offered.flatMap((tool) => encodeTool(tool, context)), ...serverTools];
  const isEmpty = declared.length === 0;
  const tools = isEmpty ? calls.map((name) => declare(name, context)) : declared;
  if (tools.length === 0) return { config: undefined, forbidden: false };
  const choice = isEmpty ? undefined : encodeChoice(toolChoice, context);
  return {
    config: omitUndefined({ tools, toolChoice: choice }),
    forbidden: isEmpty || toolChoice?.mode === 'none',
  };
}

/** A tool's name as this protocol takes it. @throws GatewayError when there is no way to write it. */
export function encodeToolName(name: string, context: BedrockConverseContext, place = 'tool_choice'): string {
  return (
    adaptToolName(name, NAMES) ??
    refuseForChannel(place, `the name ${JSON.stringify(name.slice(0, 200))} is too long for it`, context)
  );
}

function listCalledTools(request: CanonicalRequest): string[] {
  const blocks = request.turns.flatMap((turn) => turn.blocks);
  return [...new Set(blocks.flatMap((block) => (block.type === 'tool-call' ? [block.name] : [])))];
}

function declare(name: string, context: BedrockConverseContext): JsonObject {
  return { toolSpec: { name: encodeToolName(name, context, 'messages'), inputSchema: { json: ANY_OBJECT } } };
}

function encodeTool(tool: ToolDefinition, context: BedrockConverseContext): JsonObject[] {
  const parameters = tool.parameters ?? ANY_OBJECT;
  const schema = parameters.type === undefined ? { type: 'object', ...parameters } : parameters;
  const strict = keepsStrict(tool, context);
  const { cachePoint, ...ext } = tool.ext?.[HOME] ?? {};
  const toolSpec = omitUndefined({
    name: encodeToolName(tool.name, context, `${placeOf(tool, 'tools')}.name`),
    description: tool.description === '' ? undefined : tool.description,
    inputSchema: { json: strict ? structuredSchemas.of(schema) : schema },
    strict: strict ? true : undefined,
    ...ext,
  });
  return cachePoint === undefined ? [{ toolSpec }] : [{ toolSpec }, { cachePoint }];
}

function keepsStrict(tool: ToolDefinition, context: BedrockConverseContext): boolean {
  if (tool.strict !== true) return false;
  if (context.traits.supportsJsonSchema !== false && closedSchemas.of(tool.parameters ?? {})) return true;
  context.dropped.add(`${placeOf(tool, 'tools')}.strict`);
  return false;
}

/** Left to the model by default: some models refuse even that setting. */
function encodeChoice(
  choice: ToolChoice | undefined,
  context: BedrockConverseContext,
): JsonObject | undefined {
  if (choice?.mode === 'any') return { any: {} };
  return choice?.mode === 'one' ? { tool: { name: encodeToolName(choice.name, context) } } : undefined;
}
