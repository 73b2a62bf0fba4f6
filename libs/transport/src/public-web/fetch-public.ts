import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { joinInSlices } from '@mg/contract';
import { type Dispatcher, request } from 'undici';
import { createAgent } from '../create-agent.js';
import { isPublicAddress } from './is-public-address.js';
import { PublicFetchError } from './public-fetch-error.js';

export interface PublicFetch {
  /** A longer body is an error. */
  readonly maxBytes: number;
  /** For everything together: names, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** Lets the URL lead to private addresses and be plain HTTP: the operator's `ALLOW_PRIVATE_URLS`. */
  readonly allowPrivate?: boolean;
  /** `GET` by default; only that follows redirects. */
  readonly method?: 'GET' | 'POST';
  /** Sent to every address that the fetch is redirected to: never a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** An answer of any status, whole. */
export interface PublicReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Address that answered, behind all redirects. */
  readonly url: string;
}

const MAX_REDIRECTS = 3;
/** In characters: reading an address of megabytes takes up to 350 ms. */
const LONGEST_ADDRESS = 16 * 1024;
/** What a redirect says beside its address is not read any further than this. */
const MAX_REDIRECT_BYTES = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Calls a URL that a caller sent us: HTTPS and public addresses only, also behind redirects. A host's name is resolved
 * once, and the connection goes to the very addresses that were checked, so that a name cannot point elsewhere a moment
 * later. Answers of any status are given back.
 *
 * @throws PublicFetchError
 */
export async function fetchPublic(url: string, options: PublicFetch): Promise<PublicReply> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const dispatcher = createAgent({
    connect: options.allowPrivate ? {} : { lookup: lookUpPublic },
    keepAliveTimeout: 1,
  });
  try {
    return await follow(url, options, dispatcher, signal);
  } catch (error) {
    throw explain(error, signal);
  } finally {
    void dispatcher.destroy();
  }
}

async function follow(
  url: string,
  options: PublicFetch,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<PublicReply> {
  const { method = 'GET', headers = {}, body = null } = options;
  let target = checkUrl(url, options.allowPrivate === true);
  for (let hops = 0; ; hops++) {
    const reply = await request(target, {
      method,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'model-gateway', ...headers },
      body,
      dispatcher,
      signal,
    });
    const { location } = reply.headers;
    if (method !== 'GET' || !REDIRECTS.has(reply.statusCode) || typeof location !== 'string') {
      return {
        status: reply.statusCode,
        headers: reply.headers,
        body: await readWithin(reply, options.maxBytes),
        url: target.href,
      };
    }
    if (hops === MAX_REDIRECTS) throw new PublicFetchError('refused', 'is redirected too often');
    await reply.body.dump({ limit: MAX_REDIRECT_BYTES, signal });
    target = checkUrl(location, options.allowPrivate === true, target.href);
  }
}

function checkUrl(text: string, allowPrivate: boolean, base?: string): URL {
  if (text.length > LONGEST_ADDRESS) {
    throw new PublicFetchError('refused', `must hold at most ${LONGEST_ADDRESS} characters`);
  }
  if (!URL.canParse(text, base)) throw new PublicFetchError('refused', 'is not a URL');
  const url = new URL(text, base);
  const scheme = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:');
  if (!scheme) throw new PublicFetchError('refused', 'must begin with https://');
  if (url.username !== '' || url.password !== '') {
    throw new PublicFetchError('refused', 'must not hold a user name or password');
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw unreachableError();
  return url;
}

/** One sentence for names that do not exist and for those that are private: the difference is not revealed. */
function unreachableError(): PublicFetchError {
  return new PublicFetchError('refused', 'leads to no public address');
}

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Takes the place of the resolver of a connection. One private address among those of a name spoils them all. */
export function lookUpPublic(host: string, options: LookupOptions, done: LookupDone): void {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first || !addresses.every(({ address }) => isPublicAddress(address))) {
      done(unreachableError(), []);
    } else if (options.all) done(null, addresses);
    else done(null, first.address, first.family);
  });
}

async function readWithin({ body }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > maxBytes) throw new PublicFetchError('too-large', `leads to more than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return joinInSlices(chunks, setImmediate);
}

/** What the HTTP client says may name addresses: callers get one sentence for all of it. */
function explain(error: unknown, signal: AbortSignal): PublicFetchError {
  if (error instanceof PublicFetchError) return error;
  if (signal.aborted) return new PublicFetchError('timeout', 'did not answer in time');
  return new PublicFetchError('unreachable', 'cannot be reached');
}
