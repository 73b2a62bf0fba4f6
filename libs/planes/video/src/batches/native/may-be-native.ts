import type { Catalog, Channel } from '@mg/contract';
import { isObject } from '@mg/protocols';
import { findOwnBatches } from '@mg/providers';

/** Parsed within a millisecond. Of a longer line the gateway is asked. */
const MAX_READ_BYTES = 64 * 1024;
const MODEL_IN_PATH = /\/models\/([^/:]+):/;

/**
 * Whether a provider may carry out a line. What a name stands for is the gateway's to say: it may be an alias, or lead to the
 * default model of a key. So the gateway is asked, unless no channel has batches of its provider, or none of the model whose slug
 * the line names.
 *
 * @param endpoint path of the line.
 * @param body its JSON.
 */
export function mayBeNative(
  { endpoint, body }: { readonly endpoint: string; readonly body: Buffer },
  { models, channelsBySlug }: Catalog,
): boolean {
  if (!hasNative(channelsBySlug)) return false;
  const name = readModel(endpoint, body);
  if (name === undefined || !models.has(name)) return true;
  return (channelsBySlug.get(name) ?? []).some(isNative);
}

function hasNative(channelsBySlug: Catalog['channelsBySlug']): boolean {
  for (const channels of channelsBySlug.values()) if (channels.some(isNative)) return true;
  return false;
}

function isNative(channel: Channel): boolean {
  return channel.batches === 'native' && findOwnBatches(channel) !== undefined;
}

/** What a line calls its model; `undefined` where that is not known. */
function readModel(endpoint: string, body: Buffer): string | undefined {
  const [, inPath] = MODEL_IN_PATH.exec(endpoint) ?? [];
  if (inPath !== undefined) return inPath;
  if (body.length > MAX_READ_BYTES) return undefined;
  try {
    const line: unknown = JSON.parse(body.toString());
    return isObject(line) && typeof line.model === 'string' ? line.model : undefined;
  } catch {
    return undefined;
  }
}
