import { GatewayError } from '@mg/contract';
import {
  type Block,
  type CanonicalRequest,
  guessMediaType,
  type MediaBlock,
  type MediaKind,
  type ModelTraits,
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
  const urls = new Set<string>();
  for (const block of request.turns.flatMap((turn) => turn.blocks)) {
    for (const part of block.type === 'tool-result' ? block.content : [block]) {
      if (part.type !== 'media' || part.source.type !== 'url') continue;
      if (!fetched.includes(part.kind)) urls.add(part.source.url);
    }
  }
  return [...urls];
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
  if (urls.length > MAX_FETCHES) throw refuse(`more than ${MAX_FETCHES} media by URL`);
  const loaded = new Map(
    await Promise.all(urls.map(async (url) => [url, await load(url, allowPrivate)] as const)),
  );
  const replace = <T extends Block>(block: T): T | MediaBlock => {
    if (block.type !== 'media' || block.source.type !== 'url') return block;
    const bytes = loaded.get(block.source.url);
    return bytes ? { ...block, source: { ...bytes, ...nameType(bytes.mediaType, block.source) } } : block;
  };
  const turns = request.turns.map((turn) => ({
    ...turn,
    blocks: turn.blocks.map((block) =>
      block.type === 'tool-result' ? { ...block, content: block.content.map(replace) } : replace(block),
    ),
  }));
  return { ...request, turns };
}

interface LoadedBytes {
  readonly type: 'bytes';
  readonly mediaType: string;
  readonly base64: string;
}

async function load(url: string, allowPrivate: boolean): Promise<LoadedBytes> {
  try {
    const reply = await fetchPublic(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, allowPrivate });
    if (reply.status !== 200) throw refuse(`a URL that answered with status ${reply.status}`);
    const [mediaType = ''] = String(reply.headers['content-type'] ?? UNTOLD_TYPE).split(';');
    return {
      type: 'bytes',
      mediaType: mediaType.trim().toLowerCase(),
      base64: reply.body.toString('base64'),
    };
  } catch (error) {
    if (error instanceof PublicFetchError) throw refuse(`a URL that ${error.message}`);
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

function refuse(problem: string): GatewayError {
  return new GatewayError('invalid_request', `messages hold ${problem}.`, { param: 'messages' });
}
