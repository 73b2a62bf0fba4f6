import { omitUndefined } from '@mg/contract';
import {
  checkFlag,
  checkObject,
  checkObjects,
  checkText,
  needText,
  pickRest,
} from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { CanonicalRequest, ServerTool, ToolChoice, ToolDefinition } from '../canonical/request.js';
import type { JsonObject } from '../json.js';

const HOME = 'bedrock-converse';
const FIELDS = new Set(['name', 'description', 'inputSchema', 'strict']);

/** Reads the tools and the choice among them. @throws GatewayError */
export function decodeTools(
  config: JsonObject,
): Pick<CanonicalRequest, 'tools' | 'serverTools' | 'toolChoice'> {
  const tools: ToolDefinition[] = [];
  const serverTools: ServerTool[] = [];
  for (const { item, name } of checkObjects(config, 'tools', 'toolConfig')) {
    const spec = checkObject(item, 'toolSpec', name);
    if (spec) tools.push(decodeSpec(spec, `${name}.toolSpec`));
    else if (item.cachePoint !== undefined) markLast(tools, item.cachePoint, name);
    else serverTools.push(decodeSystemTool(item, name));
  }
  return { tools, serverTools, toolChoice: decodeChoice(checkObject(config, 'toolChoice', 'toolConfig')) };
}

function decodeSpec(spec: JsonObject, path: string): ToolDefinition {
  const rest = pickRest(spec, FIELDS);
  const schema = checkObject(spec, 'inputSchema', path) ?? {};
  return {
    name: needText(spec, 'name', path),
    description: checkText(spec, 'description', path),
    parameters: checkObject(schema, 'json', `${path}.inputSchema`),
    strict: checkFlag(spec, 'strict', path),
    ...omitUndefined({ ext: rest ? { [HOME]: rest } : undefined }),
  };
}

function decodeSystemTool(item: JsonObject, path: string): ServerTool {
  const tool = checkObject(item, 'systemTool', path);
  if (!tool) return refuseField(path, 'must have toolSpec, systemTool or cachePoint');
  return { protocol: HOME, name: needText(tool, 'name', `${path}.systemTool`), raw: item };
}

/** A mark of what is to be cached stands behind a tool as one of its own and becomes an extension of that tool. */
function markLast(tools: ToolDefinition[], cachePoint: unknown, path: string): void {
  const last = tools.pop();
  if (!last) return refuseField(path, 'marks nothing that could be cached');
  tools.push({ ...last, ext: { ...last.ext, [HOME]: { ...last.ext?.[HOME], cachePoint } } });
}

function decodeChoice(choice: JsonObject | undefined): ToolChoice | undefined {
  if (!choice) return undefined;
  if (choice.auto !== undefined) return { mode: 'auto' };
  if (choice.any !== undefined) return { mode: 'any' };
  const tool = checkObject(choice, 'tool', 'toolConfig.toolChoice');
  if (!tool) return refuseField('toolConfig.toolChoice', 'must have one of auto, any, tool');
  return { mode: 'one', name: needText(tool, 'name', 'toolConfig.toolChoice.tool') };
}
