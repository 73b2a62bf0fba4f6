import type { JsonObject } from '../json.js';
import { editMembers } from '../splice-json.js';
import { readResponsesDemand } from './read-demand.js';

/** Limits the tools that the provider runs where the request does not: what was held for the call covers so many calls. */
export function limitResponsesTools(body: Buffer, parsed: JsonObject, uses: number): Buffer {
  const { tools, maxRounds } = readResponsesDemand(body, parsed);
  if (tools.length === 0 || maxRounds !== undefined) return body;
  return editMembers(body, new Map([['max_tool_calls', String(uses)]]));
}
