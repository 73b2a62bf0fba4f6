import { GatewayError } from '@mg/contract';
import type { JobMedia, JobOrder, JobSurface } from '@mg/providers';
import { fetchMedia, PublicFetchError } from '@mg/transport';
import type { WorkerContext } from '../worker-context.js';

const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * The bytes behind the addresses of an order, for a provider that takes no addresses.
 *
 * @throws GatewayError `invalid_request` naming the field whose address cannot be fetched.
 */
export async function fetchOrderMedia(
  surface: JobSurface,
  order: JobOrder,
  { allowPrivateUrls }: WorkerContext,
): Promise<ReadonlyMap<string, JobMedia>> {
  const urls = [...new Set(surface.listMedia?.(order) ?? [])];
  const fetched = await Promise.all(
    urls.map(async (url) => [url, await fetchOne(url, nameField(url, order), allowPrivateUrls)] as const),
  );
  return new Map(fetched);
}

async function fetchOne(url: string, field: string, allowPrivate: boolean): Promise<JobMedia> {
  try {
    return await fetchMedia(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, allowPrivate });
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error;
    throw new GatewayError('invalid_request', `${field} ${error.message}.`, { param: field, cause: error });
  }
}

function nameField(url: string, order: JobOrder): string {
  if (order.apiVariant === 'native') return 'content';
  if (order.order.image === url) return 'image';
  return order.order.lastImage === url ? 'last_frame' : 'reference_images';
}
