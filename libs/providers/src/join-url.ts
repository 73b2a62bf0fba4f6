const VERSION_SEGMENT = /^(?:api-)?v\d+(?:beta|alpha)?\d*$/;

/** Addresses made before: chats go to the same few again and again. Those of tasks hold ids, so it starts over when it is full. */
const KNOWN = new Map<string, URL>();
const MAX_KNOWN = 1_000;

/**
 * The address of a surface: the channel's base address, with the provider's version path where the operator left it
 * out, and the surface's own path with its query. `https://api.example.com` and `https://api.example.com/v1` mean the same.
 * Callers share the URL and must not change it.
 *
 * @throws TypeError when the base address is not a URL.
 */
export function joinUpstreamUrl(baseUrl: string, versionPath: string, path: string): Readonly<URL> {
  const key = `${baseUrl} ${versionPath} ${path}`;
  const known = KNOWN.get(key);
  if (known) return known;
  const url = join(baseUrl, versionPath, path);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(key, url);
  return url;
}

/** A base address without the version at its end. @throws TypeError when it is not a URL. */
export function dropVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  const segments = url.pathname.replace(/\/+$/, '').split('/');
  if (VERSION_SEGMENT.test(segments.at(-1) ?? '')) segments.pop();
  url.pathname = segments.join('/');
  return url.href;
}

function join(baseUrl: string, versionPath: string, path: string): URL {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  const hasVersion = base.split('/').some((segment) => VERSION_SEGMENT.test(segment));
  const [pathname = '', query] = path.split('?');
  url.pathname = `${base}${hasVersion ? '' : versionPath}${pathname}`;
  if (query !== undefined) url.search = url.search === '' ? query : `${url.search}&${query}`;
  return url;
}
