import { omitUndefined } from '@mg/contract';
import type { Citation } from '../canonical/blocks.js';
import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/**
 * Reads a citation of an answer. Places in documents of the caller's stay in the extension: other protocols cite
 * addresses.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html
 */
export function decodeCitation(citation: JsonObject): Citation {
  const web = readObject(readObject(citation.location)?.web);
  const quotes = readObjects(citation.sourceContent).map((part) => readText(part.text) ?? '');
  return {
    start: undefined,
    end: undefined,
    url: readText(web?.url),
    title: readText(citation.title),
    quote: quotes.length > 0 ? quotes.join('') : undefined,
    ext: { 'bedrock-converse': citation },
  };
}

/** Writes a citation: its own as it was, another's where it has an address. */
export function encodeCitation(citation: Citation): JsonObject | undefined {
  const own = citation.ext?.['bedrock-converse'];
  if (own) return own;
  if (citation.url === undefined) return undefined;
  return omitUndefined({
    title: citation.title,
    sourceContent: citation.quote === undefined ? undefined : [{ text: citation.quote }],
    location: { web: { url: citation.url } },
  });
}
