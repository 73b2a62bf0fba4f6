import type { GatewayError } from '@mg/contract';
import { fetchPublic, PublicFetchError } from '@mg/transport';

/** Whether and how media are fetched that callers name by URL. */
export interface MediaFetching {
  /** The operator's `FETCH_MEDIA_URLS`. */
  readonly enabled: boolean;
  /** The operator's `ALLOW_PRIVATE_URLS`. */
  readonly allowPrivate: boolean;
}

export interface FetchedMedia {
  readonly body: Buffer;
  /** As the server names it. */
  readonly contentType: string | undefined;
}

const TIMEOUT_MS = 20_000;

/**
 * Fetches what a caller named by URL: HTTPS and public addresses only, unless the operator allows others.
 *
 * @param refuse makes the error of a URL that cannot be had out of what is wrong with it, such as `answered with status 404`.
 */
export async function fetchMedia(
  url: string,
  maxBytes: number,
  { allowPrivate }: MediaFetching,
  refuse: (problem: string) => GatewayError,
): Promise<FetchedMedia> {
  try {
    const { status, headers, body } = await fetchPublic(url, {
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      allowPrivate,
    });
    if (status !== 200) throw refuse(`answered with status ${status}`);
    const type = headers['content-type'];
    return { body, contentType: type === undefined ? undefined : String(type) };
  } catch (error) {
    if (error instanceof PublicFetchError) throw refuse(error.message);
    throw error;
  }
}
