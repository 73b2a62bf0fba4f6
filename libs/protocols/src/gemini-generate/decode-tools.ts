import { omitUndefined } from '@mg/contract';
import { readList, readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { ServerTool, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { placeAt } from '../canonical/places.js';
import { limitTools } from '../canonical/limit-items.js';
import { refuseField } from '../canonical/refuse.js';
import { limitToolName, restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { openApiSchemas } from './schema.js';

export interface DecodedTools {
  readonly tools: readonly ToolDefinition[];
  readonly serverTools: readonly ServerTool[];
}

/**
 * Bounds the declarations of all tools and what stands beside them, whose names are not normalised yet.
 *
 * @throws GatewayError `invalid_request`
 */
export function limitDeclared(tools: unknown): void {
  let count = 0;
  for (const tool of readObjects(tools)) {
    const { functionDeclarations, function_declarations: snakeCase, ...others } = tool;
    const declared = readList(functionDeclarations).length + readList(snakeCase).length;
    count += Math.max(1, declared + Object.keys(others).length);
  }
  limitTools([], 'tools', count);
}

/** Every member of a tool other than its declarations is something that Google runs itself. */
export function decodeTools(value: unknown): DecodedTools {
  const tools: ToolDefinition[] = [];
  const serverTools: ServerTool[] = [];
  if (value !== undefined && value !== null && !Array.isArray(value))
    refuseField('tools', 'must be an array');
  readList(value).forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (!isObject(tool)) refuseField(path, 'must be an object');
    for (const [key, member] of Object.entries(tool)) {
      if (key === 'functionDeclarations') tools.push(...decodeDeclarations(member, `${path}.${key}`));
      else if (member !== undefined && member !== null) {
        const raw = placeAt(`${path}.${key}`, { [key]: member });
        const search = key === 'googleSearch' ? { search: {} } : {};
        serverTools.push({ protocol: 'gemini-generate', name: key, raw, ...search });
      }
    }
  });
  return { tools, serverTools };
}

function decodeDeclarations(value: unknown, path: string): ToolDefinition[] {
  if (!Array.isArray(value)) refuseField(path, 'must be an array');
  return (value as unknown[]).map((declaration, index) => {
    if (!isObject(declaration)) refuseField(`${path}[${index}]`, 'must be an object');
    const { name, description, parameters, parametersJsonSchema, ...rest } = declaration;
    if (typeof name !== 'string' || name === '')
      refuseField(`${path}[${index}].name`, 'must be a non-empty string');
    return placeAt(`${path}[${index}]`, {
      name: restoreToolName(limitToolName(name, `${path}[${index}].name`)),
      description: readText(description),
      parameters: readParameters(parameters, parametersJsonSchema),
      strict: undefined,
      ...omitUndefined({ ext: Object.keys(rest).length === 0 ? undefined : { 'gemini-generate': rest } }),
    });
  });
}

function readParameters(openApi: unknown, jsonSchema: unknown): JsonObject | undefined {
  return readObject(jsonSchema) ?? (isObject(openApi) ? openApiSchemas.of(openApi) : undefined);
}

export interface DecodedToolConfig {
  readonly toolChoice: ToolChoice | undefined;
  /** What of the configuration has no canonical place, by its dotted name. */
  readonly rest: JsonObject;
}

const ALLOWED_NAMES = 'toolConfig.functionCallingConfig.allowedFunctionNames';

export function decodeToolConfig(value: unknown): DecodedToolConfig {
  if (!isObject(value)) return { toolChoice: undefined, rest: {} };
  const { functionCallingConfig, ...others } = value;
  const rest: JsonObject = Object.fromEntries(
    Object.entries(others).map(([key, member]) => [`toolConfig.${key}`, member]),
  );
  if (!isObject(functionCallingConfig)) return { toolChoice: undefined, rest };
  const { mode, allowedFunctionNames, ...unknown } = functionCallingConfig;
  for (const [key, member] of Object.entries(unknown))
    rest[`toolConfig.functionCallingConfig.${key}`] = member;
  const allowed = readList(allowedFunctionNames);
  limitTools(allowed, ALLOWED_NAMES);
  const names = allowed
    .filter((name) => typeof name === 'string')
    .map((name) => restoreToolName(limitToolName(name, ALLOWED_NAMES)));
  if (mode === 'VALIDATED' && names.length === 0) rest['toolConfig.functionCallingConfig.mode'] = mode;
  return { toolChoice: readChoice(mode, names), rest };
}

function readChoice(mode: unknown, names: readonly string[]): ToolChoice | undefined {
  const [only, ...others] = names;
  switch (typeof mode === 'string' ? mode.toUpperCase() : mode) {
    case undefined:
    case null:
    case 'MODE_UNSPECIFIED':
      return undefined;
    case 'AUTO':
      return { mode: 'auto' };
    case 'VALIDATED':
      return names.length === 0 ? { mode: 'auto' } : { mode: 'auto', names };
    case 'NONE':
      return { mode: 'none' };
    case 'ANY':
      if (only === undefined) return { mode: 'any' };
      return others.length === 0 ? { mode: 'one', name: only } : { mode: 'any', names };
    default:
      return refuseField('toolConfig.functionCallingConfig.mode', 'must be AUTO, ANY, NONE or VALIDATED');
  }
}
