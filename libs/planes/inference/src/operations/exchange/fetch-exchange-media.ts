import { GatewayError } from '@mg/contract';
import type { Exchange, ExchangeProtocol } from '@mg/protocols';
import { fetchCallerMedia, type MediaFetching } from '../../call/fetch-media.js';

/** An image that callers name may be as large as one that they send. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The exchange with the bytes of what it names by URL, for a channel that takes only bytes. Where the operator does not want
 * that, the channel's wire format refuses the URLs itself.
 *
 * @throws GatewayError `invalid_request` when one cannot be had.
 */
export async function fetchExchangeMedia(
  exchange: Exchange,
  protocol: ExchangeProtocol,
  fetching: MediaFetching,
): Promise<Exchange> {
  const { remote } = exchange;
  const urls = fetching.enabled ? (remote?.listUrls(protocol) ?? []) : [];
  if (!remote || urls.length === 0) return exchange;
  const loaded = await Promise.all(urls.map(async (url) => [url, await load(url, fetching)] as const));
  return remote.withBytes(new Map(loaded));
}

async function load(url: string, fetching: MediaFetching): Promise<Buffer> {
  const { bytes } = await fetchCallerMedia(
    url,
    MAX_BYTES,
    fetching,
    (problem) =>
      new GatewayError('invalid_request', `images hold a URL that ${problem}.`, { param: 'images' }),
  );
  return bytes;
}
