import type { JsonObject } from '../json.js';
import { readHostedTools } from './read-demand.js';

/** Limits the tools that the provider runs where the request does not: what was held for the call covers so many calls. */
export function limitResponsesTools(request: JsonObject, uses: number): JsonObject {
  const { tools, limit } = readHostedTools(request);
  return tools.length > 0 && limit === undefined ? { max_tool_calls: uses } : {};
}
