const VERSION_SEGMENT = /^v\d+(?:beta|alpha)?\d*$/;

/**
 * The address of a surface: the channel's base address, with the provider's version path where the operator left it
 * out, and the surface's own path. `https://api.example.com` and `https://api.example.com/v1` mean the same.
 *
 * @throws TypeError when the base address is not a URL.
 */
export function joinUpstreamUrl(baseUrl: string, versionPath: string, path: string): URL {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  const hasVersion = base.split('/').some((segment) => VERSION_SEGMENT.test(segment));
  url.pathname = `${base}${hasVersion ? '' : versionPath}${path}`;
  return url;
}
