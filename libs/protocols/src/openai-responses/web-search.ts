import { omitUndefined } from '@mg/contract';
import { readObject, readText } from '../canonical/read-fields.js';
import { readDomains, readLocation, type WebSearch, type WriteSearch } from '../canonical/web-search.js';
import type { JsonObject } from '../json.js';
import type { OpenAiResponsesContext } from './traits.js';

/** Reads a `web_search` tool of any version. @see https://platform.openai.com/docs/guides/tools-web-search */
export function readSearchTool(tool: JsonObject): WebSearch | undefined {
  if (!readText(tool.type)?.startsWith('web_search')) return undefined;
  const filters = readObject(tool.filters) ?? {};
  return omitUndefined({
    contextSize: readText(tool.search_context_size),
    location: readLocation(tool.user_location),
    allowedDomains: readDomains(filters.allowed_domains),
    blockedDomains: readDomains(filters.blocked_domains),
  });
}

/** Writes a `web_search` tool, which can name the addresses to look at but none to leave out. */
export function writeSearchTool(context: OpenAiResponsesContext): WriteSearch {
  return ({ contextSize, location, allowedDomains, blockedDomains, maxUses }, place) => {
    if (blockedDomains) return undefined;
    if (maxUses !== undefined) context.dropped.add(`${place}.max_uses`);
    return omitUndefined({
      type: 'web_search',
      search_context_size: contextSize,
      user_location: location && { type: 'approximate', ...location },
      filters: allowedDomains && { allowed_domains: allowedDomains },
    });
  };
}
