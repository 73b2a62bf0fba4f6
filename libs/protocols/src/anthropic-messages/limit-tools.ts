import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

const LIMITED = /^web_(?:search|fetch)_/;

/** Limits the tools that the provider runs where the request does not: what was held for the call covers so many uses. */
export function limitMessagesTools(request: JsonObject, uses: number): JsonObject {
  const tools = readObjects(request.tools);
  return tools.some(isOpen)
    ? { tools: tools.map((tool) => (isOpen(tool) ? { ...tool, max_uses: uses } : tool)) }
    : {};
}

function isOpen({ type, max_uses: limit }: JsonObject): boolean {
  return typeof type === 'string' && LIMITED.test(type) && (limit === undefined || limit === null);
}
