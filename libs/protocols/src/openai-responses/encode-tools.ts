import { omitUndefined } from '@mg/contract';
import { filterServerTools, isSearchForced } from '../canonical/filter-server-tools.js';
import { placeOf } from '../canonical/places.js';
import { refuseForChannel } from '../canonical/refuse.js';
import type { CanonicalRequest, ServerTool, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { strictSchemas } from '../canonical/schema-rules.js';
import { adaptToolName, type ToolNameRule } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { writeSearchTool } from './web-search.js';
import type { OpenAiResponsesContext } from './traits.js';

const NAME_RULE: ToolNameRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 };

/** @throws GatewayError for a name that is too long. */
export function adaptName(name: string, context: OpenAiResponsesContext, place = 'tool_choice'): string {
  const adapted = adaptToolName(name, NAME_RULE);
  return (
    adapted ?? refuseForChannel(place, `the name of the tool "${name.slice(0, 80)}" is too long`, context)
  );
}

/** @throws GatewayError `invalid_request` */
export function encodeTools(request: CanonicalRequest, context: OpenAiResponsesContext): JsonObject {
  const serverTools = filterServerTools(request, 'openai-responses', context, writeSearchTool(context));
  const tools = [...encodeDeclared(request.tools, context), ...serverTools];
  const choice = request.toolChoice;
  if (tools.length === 0) {
    if (choice?.mode === 'one' || choice?.mode === 'any') {
      refuseForChannel('tool_choice', 'there is no tool to choose', context);
    }
    return {};
  }
  return omitUndefined({
    tools,
    tool_choice: isSearchForced(request, 'openai-responses')
      ? { type: 'web_search' }
      : choice && encodeChoice(choice, request, context),
    parallel_tool_calls: request.parallelToolCalls,
  });
}

/** Functions, and tools in this protocol's own forms as they stood; namespaces are put together again. */
function encodeDeclared(tools: readonly ToolDefinition[], context: OpenAiResponsesContext): JsonObject[] {
  const written: JsonObject[] = [];
  const members = new Map<string, JsonObject[]>();
  for (const tool of tools) {
    const { origin } = tool;
    if (origin?.isLoaded) continue;
    const declared = origin?.raw ?? encodeFunction(tool, context);
    if (origin?.namespace === undefined) {
      written.push(declared);
      continue;
    }
    const others = members.get(origin.namespace);
    if (others) {
      others.push(declared);
      continue;
    }
    const own = [declared];
    members.set(origin.namespace, own);
    const { namespace: name, namespaceDescription: description } = origin;
    written.push(omitUndefined({ type: 'namespace', name, description, tools: own }));
  }
  return written;
}

/** A tool that does not say otherwise is strict here, which schemas written for other protocols seldom satisfy. */
function encodeFunction(tool: ToolDefinition, context: OpenAiResponsesContext): JsonObject {
  const parameters = tool.parameters ?? { type: 'object', properties: {} };
  return omitUndefined({
    type: 'function',
    name: adaptName(tool.name, context, `${placeOf(tool, 'tools')}.name`),
    description: tool.description,
    parameters,
    strict: tool.strict === true && strictSchemas.of(parameters),
    ...tool.ext?.['openai-responses'],
  });
}

function encodeChoice(
  choice: ToolChoice,
  request: CanonicalRequest,
  context: OpenAiResponsesContext,
): unknown {
  if (choice.mode === 'none') return 'none';
  const declared = listDeclared(request);
  if (choice.mode === 'one') return nameTool(choice.name, declared, context);
  if (!choice.names) return choice.mode === 'any' ? 'required' : 'auto';
  return {
    type: 'allowed_tools',
    mode: choice.mode === 'any' ? 'required' : 'auto',
    tools: choice.names.map((name) => nameTool(name, declared, context)),
  };
}

/** Tools by their names, the first of each: a choice may name thousands of thousands. */
interface DeclaredTools {
  readonly own: ReadonlyMap<string, ToolDefinition>;
  readonly hosted: ReadonlyMap<string, ServerTool>;
}

function listDeclared({ tools, serverTools }: CanonicalRequest): DeclaredTools {
  const ours = serverTools.filter(({ protocol }) => protocol === 'openai-responses');
  return {
    own: new Map(tools.toReversed().map((tool) => [tool.name, tool])),
    hosted: new Map(ours.toReversed().map((tool) => [tool.name, tool])),
  };
}

/** A tool as a choice names it: a function by name, one that the provider runs by its type. */
function nameTool(name: string, declared: DeclaredTools, context: OpenAiResponsesContext): JsonObject {
  const origin = declared.own.get(name)?.origin;
  if (origin?.kind === 'tool-search') return { type: 'tool_search' };
  if (origin) return omitUndefined({ type: origin.kind, name: origin.name, namespace: origin.namespace });
  const own = declared.hosted.get(name);
  if (!own) return { type: 'function', name: adaptName(name, context) };
  return { type: typeof own.raw.type === 'string' ? own.raw.type : name };
}
