import { omitUndefined } from '@mg/contract';
import { filterServerTools, isSearchForced } from '../canonical/filter-server-tools.js';
import { placeOf } from '../canonical/places.js';
import { refuseForChannel } from '../canonical/refuse.js';
import type { CanonicalRequest, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { strictSchemas } from '../canonical/schema-rules.js';
import { adaptToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { SEARCH_OPTIONS, writeSearchOptions } from './web-search.js';
import type { OpenAiChatContext } from './traits.js';

const HOME = 'openai-chat';
const NAMES = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };

/** The members of a request that are about tools. @throws GatewayError */
export function encodeTools(request: CanonicalRequest, context: OpenAiChatContext): JsonObject {
  let options: JsonObject | undefined;
  const write = writeSearchOptions(context);
  const kept = filterServerTools(request, HOME, context, (...search) => (options = write(...search)));
  const asked = request.serverTools.find(
    ({ protocol, name }) => protocol === HOME && name === SEARCH_OPTIONS,
  );
  const serverTools = kept.filter((tool) => tool !== options && tool !== asked?.raw);
  const tools = [...request.tools.map((tool) => encodeTool(tool, context)), ...serverTools];
  const search = omitUndefined({ [SEARCH_OPTIONS]: asked?.raw ?? options });
  if (tools.length === 0) return search;
  return omitUndefined({
    ...search,
    tools,
    // Models that search by options always do.
    tool_choice: isSearchForced(request, HOME)
      ? undefined
      : request.toolChoice && encodeChoice(request.toolChoice, context),
    parallel_tool_calls: request.parallelToolCalls,
  });
}

/** A tool's name as this protocol takes it. @throws GatewayError when there is no way to write it. */
export function encodeToolName(name: string, context: OpenAiChatContext, place = 'tool_choice'): string {
  return (
    adaptToolName(name, NAMES) ??
    refuseForChannel(place, `the name ${JSON.stringify(name.slice(0, 200))} is too long for it`, context)
  );
}

function encodeTool(tool: ToolDefinition, context: OpenAiChatContext): JsonObject {
  return {
    type: 'function',
    function: omitUndefined({
      name: encodeToolName(tool.name, context, `${placeOf(tool, 'tools')}.name`),
      description: tool.description,
      parameters: tool.parameters,
      strict: keepsStrict(tool, context) ? tool.strict : undefined,
    }),
    ...tool.ext?.[HOME],
  };
}

/** Strict mode refuses schemas that other protocols' strict modes take. */
function keepsStrict(tool: ToolDefinition, context: OpenAiChatContext): boolean {
  if (tool.strict !== true || strictSchemas.of(tool.parameters ?? {})) return true;
  context.dropped.add(`${placeOf(tool, 'tools')}.strict`);
  return false;
}

function encodeChoice(choice: ToolChoice, context: OpenAiChatContext): unknown {
  if (choice.mode === 'none') return 'none';
  if (choice.mode === 'one') return encodeNamed(choice.name, context);
  if (!choice.names) return choice.mode === 'any' ? 'required' : 'auto';
  return {
    type: 'allowed_tools',
    allowed_tools: {
      mode: choice.mode === 'any' ? 'required' : 'auto',
      tools: choice.names.map((name) => encodeNamed(name, context)),
    },
  };
}

function encodeNamed(name: string, context: OpenAiChatContext): JsonObject {
  return { type: 'function', function: { name: encodeToolName(name, context) } };
}
