import { type Channel, sha256 } from '@mg/contract';
import type { BatchRequest, BatchSurface } from './batch-surface.js';
import { findBaseUrl } from './build-outgoing.js';
import { dropVersion, joinUpstreamUrl } from './join-url.js';
import { findProvider } from './registry.js';

/** How a channel's provider is asked for its own batches. */
export interface OwnBatches {
  readonly api: BatchSurface;
  /** The address of a request's path. */
  address(request: Pick<BatchRequest, 'path' | 'isBesideVersion'>): Readonly<URL>;
  /** SHA-256 of the keys with which something new may be begun. */
  readonly enabledKeys: readonly string[];
  /** Headers that carry the key with this SHA-256, disabled or not; `undefined` where the channel has it no longer. */
  authorize(keyFingerprint: string): Readonly<Record<string, string>> | undefined;
}

/** The batches of a channel's provider; `undefined` where it has none that are known here. */
export function findOwnBatches({
  type,
  baseUrl,
  settings,
  apiKeys,
  disabledKeys = [],
}: Channel): OwnBatches | undefined {
  const provider = findProvider(type);
  const base = provider && findBaseUrl(provider, baseUrl, settings);
  const api = provider?.batches;
  if (!provider || !api || base === undefined) return undefined;
  return {
    api,
    address: ({ path, isBesideVersion = false }) =>
      isBesideVersion
        ? joinUpstreamUrl(dropVersion(base), '', path)
        : joinUpstreamUrl(base, provider.versionPath, path),
    enabledKeys: apiKeys.map((key) => sha256(key)),
    authorize(keyFingerprint) {
      const apiKey = [...apiKeys, ...disabledKeys].find((key) => sha256(key) === keyFingerprint);
      return apiKey === undefined ? undefined : api.authorize(apiKey);
    },
  };
}
