import { omitUndefined } from '@mg/contract';
import { filterServerTools, isSearchForced } from '../canonical/filter-server-tools.js';
import { placeOf } from '../canonical/places.js';
import { OUTPUT_AFTER_TOOLS, OUTPUT_TOOL } from '../canonical/output-tool.js';
import { refuseForChannel } from '../canonical/refuse.js';
import type { CanonicalRequest, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { adaptToolName, type ToolNameRule } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { toGeminiSchema } from './schema.js';
import { writeGoogleSearch } from './web-search.js';
import type { GeminiGenerateContext } from './traits.js';

/** Names begin with a letter or `_`, so that some of other protocols have to be rewritten. */
const NAME_RULE: ToolNameRule = { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, maxLength: 128 };

/** @throws GatewayError for a name that is too long. */
export function adaptName(name: string, context: GeminiGenerateContext, place = 'tool_choice'): string {
  const adapted = adaptToolName(name, NAME_RULE);
  return (
    adapted ?? refuseForChannel(place, `the name of the tool "${name.slice(0, 80)}" is too long`, context)
  );
}

/** @throws GatewayError `invalid_request` */
export function encodeTools(request: CanonicalRequest, context: GeminiGenerateContext): JsonObject {
  const serverTools = filterServerTools(
    request,
    'gemini-generate',
    context,
    writeGoogleSearch(request, context),
  );
  const output = findOutputTool(request, context);
  const declared = output && request.toolChoice?.mode === 'none' ? [] : request.tools;
  const declarations = declared.map((tool, index) => encodeDeclaration(tool, index, context));
  if (output) declarations.push(output);
  const tools = [
    ...(declarations.length === 0 ? [] : [{ functionDeclarations: declarations }]),
    ...serverTools,
  ];
  if (request.parallelToolCalls === false && declarations.length > 0)
    context.dropped.add('parallel_tool_calls');
  const choice: ToolChoice | undefined = output ? { mode: 'any' } : request.toolChoice;
  const config = choice && declarations.length > 0 ? encodeChoice(choice, context) : undefined;
  if (isSearchForced(request, 'gemini-generate')) context.dropped.add('tool_choice');
  else if (request.toolChoice && !config && isForced(request.toolChoice)) {
    refuseForChannel('tool_choice', 'there is no tool of the caller to choose', context);
  }
  return omitUndefined({
    tools: tools.length === 0 ? undefined : tools,
    toolConfig: config && { functionCallingConfig: config },
  });
}

/**
 * The tool by which a model answers by a schema that takes none beside tools; `undefined` where it takes one, or where the
 * caller wants a certain tool called and no answer yet.
 */
function findOutputTool(request: CanonicalRequest, context: GeminiGenerateContext): JsonObject | undefined {
  const { output, toolChoice } = request;
  if (!needsOutputTool(request, context) || output?.type !== 'schema') return undefined;
  if (toolChoice?.mode === 'one' || (toolChoice?.mode === 'any' && toolChoice.names)) return undefined;
  const schema = toGeminiSchema(output.schema, 'response_format.schema', context.dropped);
  return { name: OUTPUT_TOOL, description: OUTPUT_AFTER_TOOLS, parametersJsonSchema: schema };
}

/** Whether a format of the answer and tools stand in one request for a model that takes only one of them. */
export function needsOutputTool(
  { tools, output }: CanonicalRequest,
  { traits }: GeminiGenerateContext,
): boolean {
  return output !== undefined && tools.length > 0 && traits.supportsSchemaWithTools === false;
}

function isForced(choice: ToolChoice): boolean {
  return choice.mode === 'one' || choice.mode === 'any';
}

function encodeDeclaration(tool: ToolDefinition, index: number, context: GeminiGenerateContext): JsonObject {
  const place = placeOf(tool, `tools[${index}]`);
  if (tool.strict === true) context.dropped.add(`${place}.strict`);
  const { properties, type } = tool.parameters ?? {};
  const isEmpty = (type === undefined || type === 'object') && isEmptyObject(properties);
  const parameters =
    tool.parameters && !(isEmpty && !hasOtherShape(tool.parameters)) ? tool.parameters : undefined;
  return omitUndefined({
    name: adaptName(tool.name, context, `${place}.name`),
    description: tool.description,
    parametersJsonSchema:
      parameters && toGeminiSchema(parameters, placeOf(parameters, `${place}.parameters`), context.dropped),
    ...tool.ext?.['gemini-generate'],
  });
}

function isEmptyObject(properties: unknown): boolean {
  return properties === undefined || (isObject(properties) && Object.keys(properties).length === 0);
}

/** Whether a schema without properties still says what arguments look like. */
function hasOtherShape(schema: JsonObject): boolean {
  return (
    ['anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in schema) || isObject(schema.additionalProperties)
  );
}

function encodeChoice(choice: ToolChoice, context: GeminiGenerateContext): JsonObject {
  switch (choice.mode) {
    case 'none':
      return { mode: 'NONE' };
    case 'one':
      return { mode: 'ANY', allowedFunctionNames: [adaptName(choice.name, context)] };
    case 'any':
      return omitUndefined({ mode: 'ANY', allowedFunctionNames: adaptNames(choice.names, context) });
    case 'auto':
      return choice.names
        ? { mode: 'VALIDATED', allowedFunctionNames: adaptNames(choice.names, context) }
        : { mode: 'AUTO' };
    default:
      return refuseForChannel('tool_choice', 'it is of an unknown kind', context);
  }
}

function adaptNames(
  names: readonly string[] | undefined,
  context: GeminiGenerateContext,
): string[] | undefined {
  return names?.map((name) => adaptName(name, context));
}
