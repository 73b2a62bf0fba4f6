import { decodeBase64InSlices, isStandardBase64, type StoredBase64, toBase64Text } from '@mg/protocols';
import type { JobCall, JobMedia, JobOrder } from './job-surface.js';
import { refuseVideoField, type VideoField } from './video-fields.js';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/i;
/** Longer names of types are none; in characters. */
const LONGEST_HEAD = 256;

/** Addresses in an order whose bytes a provider wants, for those that take no addresses. */
export function listOrderMedia(order: JobOrder): readonly string[] {
  if (order.apiVariant === 'native') return [];
  const { image, lastImage, referenceImages = [] } = order.order;
  return [image, lastImage, ...referenceImages].filter(
    (url): url is string => url !== undefined && !readHead(url),
  );
}

/**
 * The bytes behind an address of an order: within a data URL, or fetched before.
 *
 * @throws GatewayError `invalid_request` naming the field, when there are none.
 */
export async function takeMedia(field: VideoField, url: string, call: JobCall): Promise<JobMedia> {
  const inline = readHead(url);
  if (!inline) return takeFetched(field, url, call);
  return {
    mimeType: inline.mimeType,
    bytes: await decodeBase64InSlices(url.slice(inline.length), pauseOf(call)),
  };
}

/**
 * The same in base64, which is made while the body is written by `writeJsonWithFiles`.
 *
 * @throws GatewayError `invalid_request` as `takeMedia`.
 */
export async function takeBase64(
  field: VideoField,
  url: string,
  call: JobCall,
): Promise<{ readonly mimeType: string; readonly base64: string | StoredBase64 }> {
  const inline = readHead(url);
  const written = inline && url.slice(inline.length);
  if (written !== undefined && isStandardBase64(written))
    return { mimeType: inline?.mimeType ?? '', base64: written };
  const { mimeType, bytes } = await takeMedia(field, url, call);
  return { mimeType, base64: toBase64Text('', bytes) };
}

/** What is waited for between two steps of work on megabytes. */
export function pauseOf({ pause = () => Promise.resolve() }: JobCall): () => Promise<void> {
  return pause;
}

function takeFetched(field: VideoField, url: string, call: JobCall): JobMedia {
  return call.media?.get(url) ?? refuseVideoField(field, 'its bytes could not be had');
}

/** The type that a data URL names, and how long what stands before its data is; `undefined` for addresses. */
function readHead(url: string): { readonly mimeType: string; readonly length: number } | undefined {
  const [head, mimeType] = DATA_URL.exec(url.slice(0, LONGEST_HEAD)) ?? [];
  return head === undefined ? undefined : { mimeType: mimeType ?? '', length: head.length };
}
