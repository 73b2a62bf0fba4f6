import { fetchPublic, type PublicFetch } from './fetch-public.js';
import { PublicFetchError } from './public-fetch-error.js';

/** A file behind a URL that a caller sent. */
export interface FetchedMedia {
  /** As the server sends it, without parameters; empty without one. */
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Fetches a file that a caller names by URL. @throws PublicFetchError also for any status but 200. */
export async function fetchMedia(
  url: string,
  limits: Pick<PublicFetch, 'maxBytes' | 'timeoutMs' | 'allowPrivate'>,
): Promise<FetchedMedia> {
  const { status, headers, body } = await fetchPublic(url, limits);
  if (status !== 200) throw new PublicFetchError('unreachable', `answered with status ${status}`);
  return { mimeType: headers['content-type']?.split(';')[0]?.trim() ?? '', bytes: body };
}
