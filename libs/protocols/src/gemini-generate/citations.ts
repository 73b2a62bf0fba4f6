import { omitUndefined } from '@mg/contract';
import type { Citation } from '../canonical/blocks.js';
import { AnswerBounds } from '../canonical/limit-answer.js';
import { isCitable } from '../canonical/limit-items.js';
import { readNumber, readObject, readObjects, readText } from '../canonical/read-fields.js';
import { atOnce, type Steps } from '../canonical/steps.js';
import { TextOffsets } from '../canonical/text-offsets.js';
import { isObject, type JsonObject } from '../json.js';

/** A citation as Google gives it: offsets in UTF-8 bytes of a part, or of all the text where it names no part. */
export interface ByteCitation {
  readonly part: number | undefined;
  readonly startByte: number | undefined;
  readonly endByte: number | undefined;
  readonly url: string | undefined;
  readonly title: string | undefined;
}

/** Reads `groundingMetadata` and `citationMetadata` of a candidate. */
export function readByteCitations(candidate: JsonObject): ByteCitation[] {
  const bounds = new AnswerBounds();
  const found = [...readGrounding(candidate.groundingMetadata), ...readSources(candidate.citationMetadata)];
  return found.filter((citation) => bounds.takesCitation(citation));
}

function readGrounding(metadata: unknown): ByteCitation[] {
  if (!isObject(metadata)) return [];
  const chunks = readObjects(metadata.groundingChunks).map(readChunk);
  return readObjects(metadata.groundingSupports).flatMap((support) => {
    const segment = readObject(support.segment) ?? {};
    const indices = Array.isArray(support.groundingChunkIndices)
      ? (support.groundingChunkIndices as unknown[])
      : [];
    return indices.flatMap((index) => {
      const chunk = typeof index === 'number' ? chunks[index] : undefined;
      if (!chunk) return [];
      const endByte = readNumber(segment.endIndex);
      return [
        {
          ...chunk,
          part: readNumber(segment.partIndex),
          startByte: readNumber(segment.startIndex) ?? 0,
          endByte,
        },
      ];
    });
  });
}

function readChunk(chunk: JsonObject): Pick<ByteCitation, 'url' | 'title'> {
  const source = readObject(chunk.web) ?? readObject(chunk.retrievedContext) ?? readObject(chunk.maps) ?? {};
  return { url: readText(source.uri), title: readText(source.title) };
}

function readSources(metadata: unknown): ByteCitation[] {
  if (!isObject(metadata)) return [];
  return readObjects(metadata.citationSources ?? metadata.citations).map((source) => ({
    part: undefined,
    startByte: readNumber(source.startIndex) ?? 0,
    endByte: readNumber(source.endIndex),
    url: readText(source.uri),
    title: readText(source.title),
  }));
}

/** A citation with offsets in code points of a text, which begins at byte `from` of what Google counted. */
export function toCitation(found: ByteCitation, text: TextOffsets, from: number): Citation {
  const locate = (offset: number | undefined): number | undefined =>
    offset === undefined || offset < from ? undefined : text.pointsInBytes(offset - from);
  return {
    start: locate(found.startByte),
    end: locate(found.endByte),
    url: found.url,
    title: found.title,
    quote: undefined,
  };
}

/** Citations of one text part, for `writeGrounding`. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Bytes of answer text before this one, for streams, whose offsets run over all of it. */
  readonly from: number;
  readonly part: number | undefined;
}

/** Characters of cited text that are repeated beside the places of citations: each may cite all of an answer. */
const MOST_REPEATED = 1024 * 1024;

/** Writes citations as `groundingMetadata`, in steps, since there may be thousands; those without a URL have no place in it. */
export function* writeGroundingInSteps(texts: readonly CitedText[]): Steps<JsonObject | undefined> {
  const chunks = new Map<string, { index: number; chunk: JsonObject }>();
  const supports: JsonObject[] = [];
  let repeated = 0;
  for (const { text, citations, from, part } of texts) {
    // It was cited while it was shorter.
    if (!isCitable(text.length)) continue;
    const offsets = new TextOffsets(text);
    yield* offsets.noteInSteps();
    for (const { url, title, start, end } of citations) {
      if (url === undefined) continue;
      const known = chunks.get(url) ?? {
        index: chunks.size,
        chunk: { web: omitUndefined({ uri: url, title }) },
      };
      chunks.set(url, known);
      const first = offsets.placeOfPoint(start ?? 0);
      const last = offsets.placeOfPoint(Math.max(start ?? 0, end ?? Infinity));
      repeated += last.characters - first.characters;
      supports.push({
        segment: omitUndefined({
          partIndex: part === 0 ? undefined : part,
          startIndex: from + first.bytes === 0 ? undefined : from + first.bytes,
          endIndex: from + last.bytes,
          text: repeated > MOST_REPEATED ? undefined : text.slice(first.characters, last.characters),
        }),
        groundingChunkIndices: [known.index],
      });
      yield;
    }
  }
  if (supports.length === 0) return undefined;
  return { groundingChunks: [...chunks.values()].map(({ chunk }) => chunk), groundingSupports: supports };
}

/** The same in one step. */
export const writeGrounding = atOnce(writeGroundingInSteps);
