import type { GatewayError } from '@mg/contract';
import { fetchMedia, type FetchedMedia, PublicFetchError } from '@mg/transport';

/** Whether and how media are fetched that callers name by URL. */
export interface MediaFetching {
  /** The operator's `FETCH_MEDIA_URLS`. */
  readonly enabled: boolean;
  /** The operator's `ALLOW_PRIVATE_URLS`. */
  readonly allowPrivate: boolean;
}

const TIMEOUT_MS = 20_000;

/**
 * Fetches what a caller named by URL: HTTPS and public addresses only, unless the operator allows others.
 *
 * @param refuse makes the error for a URL that cannot be fetched out of what is wrong with it, such as `answered with status
 *   404`.
 */
export async function fetchCallerMedia(
  url: string,
  maxBytes: number,
  { allowPrivate }: MediaFetching,
  refuse: (problem: string) => GatewayError,
): Promise<FetchedMedia> {
  try {
    return await fetchMedia(url, { maxBytes, timeoutMs: TIMEOUT_MS, allowPrivate });
  } catch (error) {
    if (error instanceof PublicFetchError) throw refuse(error.message);
    throw error;
  }
}
