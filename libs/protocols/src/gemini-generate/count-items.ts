import { countHeld, countIn, MOST_CHOICES, weighBlocks } from '../canonical/limit-items.js';
import { readList, readObject, readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer, or in a chunk of one: candidates, their parts and what is cited. */
export function countGeminiItems({ candidates }: JsonObject): number {
  const list = readList(candidates);
  if (list.length > MOST_CHOICES) return Infinity;
  return readObjects(list).reduce(
    (sum, candidate) => sum + 1 + countParts(candidate) + countCited(candidate),
    0,
  );
}

/** Pieces of arguments are counted, too. */
function countParts({ content }: JsonObject): number {
  const parts = readList(readObject(content)?.parts);
  const countPieces = ({ functionCall }: JsonObject) => countIn([readObject(functionCall)?.partialArgs]);
  return countHeld(parts, countPieces, weighBlocks(parts.length));
}

/** What is cited becomes a citation for each place that it supports. */
function countCited({ groundingMetadata, citationMetadata }: JsonObject): number {
  const { groundingChunks, groundingSupports } = readObject(groundingMetadata) ?? {};
  const { citationSources, citations } = readObject(citationMetadata) ?? {};
  const supported = countHeld(readList(groundingSupports), ({ groundingChunkIndices }) =>
    countIn([groundingChunkIndices]),
  );
  return countIn([groundingChunks, citationSources, citations]) + supported;
}
