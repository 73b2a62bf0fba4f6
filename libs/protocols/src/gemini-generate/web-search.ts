import type { CanonicalRequest } from '../canonical/request.js';
import { isLimited, type WriteSearch } from '../canonical/web-search.js';
import type { GeminiGenerateContext } from './traits.js';

/** Writes `googleSearch`, which takes no settings and does not go with functions. */
export function writeGoogleSearch(request: CanonicalRequest, context: GeminiGenerateContext): WriteSearch {
  return (search, place) => {
    if (isLimited(search) || request.tools.length > 0) return undefined;
    if (search.contextSize !== undefined) context.dropped.add(`${place}.search_context_size`);
    if (search.location !== undefined) context.dropped.add(`${place}.user_location`);
    if (search.maxUses !== undefined) context.dropped.add(`${place}.max_uses`);
    return { googleSearch: {} };
  };
}
