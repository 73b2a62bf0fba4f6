import type { MediaBlock } from '../canonical/blocks.js';
import { base64OfSource } from '../canonical/media-in-slices.js';
import { refuseContent } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { findFormat } from './media-formats.js';
import type { BedrockConverseContext } from './traits.js';

const HOME = 'bedrock-converse';
const MAX_NAME_LENGTH = 200;
/** Characters of a name that are looked at: those that may not stand there are many. */
const LOOKED_AT = 4 * MAX_NAME_LENGTH;
/** Of the number that tells names apart. */
const LONGEST_SUFFIX = 10;

/** Names of a conversation's documents: each has to have one of its own, of letters, digits and a few marks. */
export class DocumentNames {
  readonly #used = new Set<string>();
  /** The last number that names of this beginning have got: thousands of documents may have the same. */
  readonly #counts = new Map<string, number>();

  /** The name to write for a document. */
  add(name: string | undefined): string {
    const allowed = (name ?? '')
      .slice(0, LOOKED_AT)
      .replaceAll(/[^a-zA-Z0-9\-()[\] ]/g, '-')
      .replaceAll(/ +/g, ' ')
      .trim()
      .slice(0, MAX_NAME_LENGTH);
    const base = allowed === '' ? 'document' : allowed;
    let unique = base;
    const start = base.slice(0, MAX_NAME_LENGTH - LONGEST_SUFFIX);
    let count = this.#counts.get(start) ?? 1;
    while (this.#used.has(unique)) {
      const suffix = ` (${++count})`;
      unique = base.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
    }
    this.#counts.set(start, count);
    this.#used.add(unique);
    return unique;
  }
}

/** Writes an image, a document, a video or an audio clip, all as bytes: nothing is fetched from an address. @throws GatewayError */
export function encodeMedia(
  block: MediaBlock,
  names: DocumentNames,
  context: BedrockConverseContext,
): JsonObject {
  if (block.detail === 'low' || block.detail === 'high') context.dropped.add('detail');
  const { cachePoint: _mark, ...ext } = block.ext?.[HOME] ?? {};
  const name = block.kind === 'document' ? { name: names.add(block.name) } : {};
  return { [block.kind]: { ...encodeSource(block, context), ...name, ...ext } };
}

function encodeSource({ kind, source }: MediaBlock, context: BedrockConverseContext): JsonObject {
  switch (source.type) {
    case 'bytes': {
      const format = findFormat(kind, source.mediaType);
      if (format === undefined)
        refuseContent(source, `it takes no media of type ${source.mediaType}`, context);
      return { format, source: { bytes: source.base64 } };
    }
    case 'text':
      return { format: 'txt', source: { bytes: base64OfSource(source) } };
    case 'url':
      return refuseContent(source, 'it fetches no media: send their bytes', context);
    case 'file':
      if (source.protocol === HOME)
        return { format: guessFormat(source.id), source: { s3Location: { uri: source.id } } };
      return refuseContent(source, `the file ${source.id} was uploaded to another provider`, context);
  }
}

function guessFormat(uri: string): string {
  return uri.slice(uri.lastIndexOf('.') + 1).toLowerCase();
}
