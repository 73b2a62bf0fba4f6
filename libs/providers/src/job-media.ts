import type { JobCall, JobMedia, JobOrder } from './job-surface.js';
import { refuseVideoField, type VideoField } from './video-fields.js';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/is;

/** Addresses in an order whose bytes a provider wants, for those that take no addresses. */
export function listOrderMedia(order: JobOrder): readonly string[] {
  if (order.apiVariant === 'native') return [];
  const { image, lastImage, referenceImages = [] } = order.order;
  return [image, lastImage, ...referenceImages].filter(
    (url): url is string => url !== undefined && !DATA_URL.test(url),
  );
}

/**
 * The bytes behind an address of an order: within a data URL, or fetched before.
 *
 * @throws GatewayError `invalid_request` naming the field, when there are none.
 */
export function takeMedia(field: VideoField, url: string, call: JobCall): JobMedia {
  const inline = DATA_URL.exec(url);
  if (inline) return { mimeType: inline[1] ?? '', bytes: Buffer.from(inline[2] ?? '', 'base64') };
  return call.media?.get(url) ?? refuseVideoField(field, 'its bytes could not be had');
}
