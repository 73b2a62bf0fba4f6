import type { Citation } from '../canonical/blocks.js';
import { isObject, type JsonObject } from '../json.js';

/** A citation stands on the whole of its text block, so it has no offsets. */
export function decodeCitation(raw: JsonObject): Citation {
  const source = readString(raw.url) ?? readString(raw.source);
  return {
    start: undefined,
    end: undefined,
    url: source !== undefined && /^https?:/i.test(source) ? source : undefined,
    title: readString(raw.title) ?? readString(raw.document_title),
    quote: readString(raw.cited_text),
    ext: { 'anthropic-messages': raw },
  };
}

export function decodeCitations(list: unknown): readonly Citation[] {
  return Array.isArray(list) ? list.filter(isObject).map(decodeCitation) : [];
}

/** Only a place in the web can be cited in this protocol where the citation is another's; others answer `undefined`. */
export function encodeCitation(citation: Citation): JsonObject | undefined {
  const raw = citation.ext?.['anthropic-messages'];
  if (raw) return raw;
  if (citation.url === undefined) return undefined;
  return {
    type: 'web_search_result_location',
    url: citation.url,
    title: citation.title ?? null,
    cited_text: citation.quote ?? '',
    encrypted_index: '',
  };
}

export function encodeCitations(citations: readonly Citation[] | undefined): JsonObject[] {
  return (citations ?? []).map(encodeCitation).filter((citation) => citation !== undefined);
}

function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
