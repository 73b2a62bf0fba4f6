import { omitUndefined } from '@mg/contract';
import { readObject, readText } from '../canonical/read-fields.js';
import { isLimited, readLocation, type WebSearch, type WriteSearch } from '../canonical/web-search.js';
import type { JsonObject } from '../json.js';
import type { OpenAiChatContext } from './traits.js';

/** The member of a request that has a search run. */
export const SEARCH_OPTIONS = 'web_search_options';

/** Reads `web_search_options`. @see https://platform.openai.com/docs/api-reference/chat/create */
export function readSearchOptions(options: JsonObject): WebSearch {
  return omitUndefined({
    contextSize: readText(options.search_context_size),
    location: readLocation(readObject(options.user_location)?.approximate),
  });
}

/** Writes `web_search_options`, which cannot name addresses. */
export function writeSearchOptions(context: OpenAiChatContext): WriteSearch {
  return (search, place) => {
    if (isLimited(search)) return undefined;
    if (search.maxUses !== undefined) context.dropped.add(`${place}.max_uses`);
    return omitUndefined({
      search_context_size: search.contextSize,
      user_location: search.location && { type: 'approximate', approximate: search.location },
    });
  };
}
