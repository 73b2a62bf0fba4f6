const VERSION_SEGMENT = /^(?:api-)?v\d+(?:beta|alpha)?\d*$/;

/**
 * The address of a surface: the channel's base address, with the provider's version path where the operator left it
 * out, and the surface's own path with its query. `https://api.example.com` and `https://api.example.com/v1` mean the same.
 *
 * @throws TypeError when the base address is not a URL.
 */
export function joinUpstreamUrl(baseUrl: string, versionPath: string, path: string): URL {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  const hasVersion = base.split('/').some((segment) => VERSION_SEGMENT.test(segment));
  const [pathname = '', query] = path.split('?');
  url.pathname = `${base}${hasVersion ? '' : versionPath}${pathname}`;
  if (query !== undefined) url.search = url.search === '' ? query : `${url.search}&${query}`;
  return url;
}
