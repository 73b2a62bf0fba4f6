import { GatewayError } from '@mg/contract';
import {
  type Block,
  type CanonicalRequest,
  cutBytes,
  encodeBase64InSlices,
  encodePieces,
  type FileMarks,
  guessMediaType,
  isTextType,
  placeAt,
  type MediaBlock,
  type ModelTraits,
  placeOf,
  type UpstreamProtocol,
} from '@mg/protocols';
import { nextTurn } from '../../edge/loop-turns.js';
import { fetchCallerMedia, type MediaFetching } from '../../call/fetch-media.js';

const MAX_FETCHES = 20;
const MAX_BYTES = 20 * 1024 * 1024;
/** Two million tokens: more than any model reads. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const UNKNOWN_TYPE = 'application/octet-stream';

/** The URLs of a request that a channel would refuse because its protocol, or its provider, takes only bytes. */
export function listUrlsToFetch(
  request: CanonicalRequest,
  { fetchedMedia }: Pick<UpstreamProtocol, 'fetchedMedia'>,
  { supportsMediaUrls }: ModelTraits,
): readonly string[] {
  const fetched = supportsMediaUrls === false ? [] : fetchedMedia;
  const media = listMedia(request).filter(({ kind }) => !fetched.includes(kind));
  return [...new Set(media.map(({ source }) => source.url))];
}

type MediaByUrl = Pick<MediaBlock, 'kind'> & { source: Extract<MediaBlock['source'], { type: 'url' }> };

/** All media that a request names by URL, in messages and in tool results. */
function listMedia(request: CanonicalRequest): MediaByUrl[] {
  const blocks = request.turns.flatMap((turn) => turn.blocks);
  return blocks
    .flatMap((block): readonly Block[] => (block.type === 'tool-result' ? block.content : [block]))
    .flatMap((part) => {
      if (part.type !== 'media' || part.source.type !== 'url') return [];
      return [{ kind: part.kind, source: part.source }];
    });
}

/** How media are had, and what stands for them until the request is written. */
export interface MediaInlining {
  readonly fetching: MediaFetching;
  readonly marks: FileMarks;
}

/** A file to fetch. */
interface WantedFile {
  readonly url: string;
  /** Whether it is a text to anybody, given the type that its server names. */
  readonly isText: (served: string) => boolean;
}

/**
 * The request with the bytes of these URLs in their place.
 *
 * @throws GatewayError `invalid_request` when one cannot be had.
 */
export async function inlineMedia(
  request: CanonicalRequest,
  urls: readonly string[],
  inlining: MediaInlining,
): Promise<CanonicalRequest> {
  const media = listMedia(request);
  const places = new Map(media.map(({ source }) => [source.url, placeOf(source, 'messages')]));
  const placeOfUrl = (url: string) => places.get(url) ?? 'messages';
  if (urls.length > MAX_FETCHES) {
    throw refuse(placeOfUrl(urls.at(MAX_FETCHES) ?? ''), `is one of more than ${MAX_FETCHES} media by URL`);
  }
  const loaded = new Map(
    await Promise.all(
      urls.map(async (url) => {
        const sources = media.flatMap(({ source }) => (source.url === url ? [source] : []));
        const isText = (served: string) =>
          sources.some((source) => isTextType(nameType(served, source).mediaType));
        return [url, await load({ url, isText }, placeOfUrl(url), inlining)] as const;
      }),
    ),
  );
  const replace = <T extends Block>(block: T): T | MediaBlock => {
    if (block.type !== 'media' || block.source.type !== 'url') return block;
    const bytes = loaded.get(block.source.url);
    if (!bytes) return block;
    const source = placeAt(placeOfUrl(block.source.url), {
      ...bytes,
      ...nameType(bytes.mediaType, block.source),
    });
    // The hold for an image does not cover a document or a video in its place.
    const isOther =
      block.kind === 'image' && !/^(?:image\/|application\/octet-stream$)/.test(source.mediaType);
    if (isOther) throw refuse(placeOfUrl(block.source.url), `is no image but ${source.mediaType}`);
    return { ...block, source };
  };
  const turns = request.turns.map((turn) => {
    const blocks = turn.blocks.map((block) =>
      block.type === 'tool-result' ? { ...block, content: block.content.map(replace) } : replace(block),
    );
    return { ...turn, blocks };
  });
  return { ...request, turns };
}

interface LoadedBytes {
  readonly type: 'bytes';
  readonly mediaType: string;
  readonly base64: string;
}

/** Texts are read by whoever writes the request: they stand in it themselves, where a mark stands for other files. */
async function load(
  { url, isText }: WantedFile,
  place: string,
  { fetching, marks }: MediaInlining,
): Promise<LoadedBytes> {
  const refuseUrl = (problem: string) => refuse(place, problem);
  const { bytes, mimeType } = await fetchCallerMedia(url, MAX_BYTES, fetching, refuseUrl);
  const mediaType = mimeType.toLowerCase();
  if (!isText(mediaType)) {
    return { type: 'bytes', mediaType, base64: marks.add(await encodePieces(cutBytes(bytes, nextTurn))) };
  }
  if (bytes.length > MAX_TEXT_BYTES) {
    throw refuse(place, `leads to a text of more than ${MAX_TEXT_BYTES} bytes`);
  }
  return { type: 'bytes', mediaType, base64: await encodeBase64InSlices(bytes, nextTurn) };
}

/** Where the server names no type, the caller's or that of the file name is used. */
function nameType(
  served: string,
  source: { readonly url: string; readonly mediaType: string | undefined },
): { mediaType: string } {
  if (served !== UNKNOWN_TYPE && served !== '') return { mediaType: served };
  return { mediaType: source.mediaType ?? guessMediaType(source.url) ?? UNKNOWN_TYPE };
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}
