import { omitUndefined } from '@mg/contract';
import { readNumber, readText } from '../canonical/read-fields.js';
import { readDomains, readLocation, type WebSearch, type WriteSearch } from '../canonical/web-search.js';
import type { JsonObject } from '../json.js';
import type { AnthropicMessagesContext } from './traits.js';

/** The version that every model with a search takes. */
const TYPE = 'web_search_20250305';
/** The name that every version has. */
export const SEARCH_NAME = 'web_search';

/** Reads a `web_search` tool of any version. @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool */
export function readSearchTool(tool: JsonObject): WebSearch | undefined {
  if (!readText(tool.type)?.startsWith('web_search_')) return undefined;
  return omitUndefined({
    location: readLocation(tool.user_location),
    allowedDomains: readDomains(tool.allowed_domains),
    blockedDomains: readDomains(tool.blocked_domains),
    maxUses: readNumber(tool.max_uses),
  });
}

export function writeSearchTool(context: AnthropicMessagesContext): WriteSearch {
  return ({ contextSize, location, allowedDomains, blockedDomains, maxUses }, place) => {
    if (contextSize !== undefined) context.dropped.add(`${place}.search_context_size`);
    return omitUndefined({
      type: TYPE,
      name: SEARCH_NAME,
      max_uses: maxUses,
      allowed_domains: allowedDomains,
      blocked_domains: blockedDomains,
      user_location: location && { type: 'approximate', ...location },
    });
  };
}
