import { GatewayError } from '@mg/contract';
import {
  type Block,
  type CanonicalRequest,
  guessMediaType,
  keepPlace,
  type MediaBlock,
  type MediaKind,
  type ModelTraits,
  placeOf,
  type ProtocolName,
} from '@mg/protocols';
import { fetchPublic, PublicFetchError } from '@mg/transport';

/** Whether and how media are fetched that callers name by URL. */
export interface MediaFetching {
  /** The operator's `FETCH_MEDIA_URLS`. */
  readonly enabled: boolean;
  /** The operator's `ALLOW_PRIVATE_URLS`. */
  readonly allowPrivate: boolean;
}

const EVERYTHING: readonly MediaKind[] = ['image', 'audio', 'video', 'document'];
/** What upstreams of a protocol fetch by themselves; the rest they take only as bytes. */
const FETCHED_UPSTREAM: Readonly<Record<ProtocolName, readonly MediaKind[]>> = {
  'openai-chat': ['image'],
  'openai-responses': EVERYTHING,
  'openai-completions': EVERYTHING,
  'anthropic-messages': EVERYTHING,
  'gemini-generate': EVERYTHING,
  'bedrock-converse': [],
};

const MAX_FETCHES = 20;
const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const UNTOLD_TYPE = 'application/octet-stream';

/** The URLs of a request that a channel would refuse because its protocol, or its provider, takes only bytes. */
export function listUrlsToFetch(
  request: CanonicalRequest,
  protocol: ProtocolName,
  { mediaByUrl }: ModelTraits,
): readonly string[] {
  const fetched = mediaByUrl === false ? [] : FETCHED_UPSTREAM[protocol];
  const media = listMedia(request).filter(({ kind }) => !fetched.includes(kind));
  return [...new Set(media.map(({ source }) => source.url))];
}

type MediaByUrl = Pick<MediaBlock, 'kind'> & { source: Extract<MediaBlock['source'], { type: 'url' }> };

/** All that a request names by URL, in what users say and in what tools gave back. */
function listMedia(request: CanonicalRequest): MediaByUrl[] {
  const blocks = request.turns.flatMap((turn) => turn.blocks);
  return blocks
    .flatMap((block): readonly Block[] => (block.type === 'tool-result' ? block.content : [block]))
    .flatMap((part) => {
      if (part.type !== 'media' || part.source.type !== 'url') return [];
      return [{ kind: part.kind, source: part.source }];
    });
}

/**
 * The request with the bytes of these URLs in their place.
 *
 * @throws GatewayError `invalid_request` when one cannot be had.
 */
export async function inlineMedia(
  request: CanonicalRequest,
  urls: readonly string[],
  { allowPrivate }: MediaFetching,
): Promise<CanonicalRequest> {
  const places = new Map(listMedia(request).map(({ source }) => [source.url, placeOf(source, 'messages')]));
  const placeOfUrl = (url: string) => places.get(url) ?? 'messages';
  if (urls.length > MAX_FETCHES) {
    throw refuse(placeOfUrl(urls.at(MAX_FETCHES) ?? ''), `is one of more than ${MAX_FETCHES} media by URL`);
  }
  const loaded = new Map(
    await Promise.all(
      urls.map(async (url) => [url, await load(url, placeOfUrl(url), allowPrivate)] as const),
    ),
  );
  const replace = <T extends Block>(block: T): T | MediaBlock => {
    if (block.type !== 'media' || block.source.type !== 'url') return block;
    const bytes = loaded.get(block.source.url);
    if (!bytes) return block;
    const source = keepPlace(block.source, { ...bytes, ...nameType(bytes.mediaType, block.source) });
    // What is held for a picture does not cover a document or a film that stands in its place.
    const isOther =
      block.kind === 'image' && !/^(?:image\/|application\/octet-stream$)/.test(source.mediaType);
    if (isOther) throw refuse(placeOfUrl(block.source.url), `is no picture but ${source.mediaType}`);
    return keepPlace(block, { ...block, source });
  };
  const turns = request.turns.map((turn) => {
    const blocks = turn.blocks.map((block) =>
      block.type === 'tool-result'
        ? keepPlace(block, { ...block, content: block.content.map(replace) })
        : replace(block),
    );
    return keepPlace(turn, { ...turn, blocks });
  });
  return { ...request, turns };
}

interface LoadedBytes {
  readonly type: 'bytes';
  readonly mediaType: string;
  readonly base64: string;
}

async function load(url: string, place: string, allowPrivate: boolean): Promise<LoadedBytes> {
  try {
    const reply = await fetchPublic(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, allowPrivate });
    if (reply.status !== 200) throw refuse(place, `answered with status ${reply.status}`);
    const [mediaType = ''] = String(reply.headers['content-type'] ?? UNTOLD_TYPE).split(';');
    return {
      type: 'bytes',
      mediaType: mediaType.trim().toLowerCase(),
      base64: reply.body.toString('base64'),
    };
  } catch (error) {
    if (error instanceof PublicFetchError) throw refuse(place, error.message);
    throw error;
  }
}

/** A server that does not know what it serves is told by the caller or by the name. */
function nameType(
  told: string,
  source: { readonly url: string; readonly mediaType: string | undefined },
): { mediaType: string } {
  if (told !== UNTOLD_TYPE && told !== '') return { mediaType: told };
  return { mediaType: source.mediaType ?? guessMediaType(source.url) ?? UNTOLD_TYPE };
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}
