import { type Channel, sha256, type ApiVariant } from '@mg/contract';
import { findBaseUrl } from './build-outgoing.js';
import type { SigningContext } from './signing.js';
import type { JobCall, JobSurface } from './job-surface.js';
import { joinUpstreamUrl } from './join-url.js';
import { findProvider } from './registry.js';

/** How a channel makes videos. */
export interface JobEndpoint {
  readonly surface: JobSurface;
  /** The channel's base address with the provider's version path, without a final slash. */
  readonly baseUrl: string;
}

/** Stands where a simulated provider has no address. */
const NO_ADDRESS = 'http://simulated.invalid';

/** The channel's way of making videos of a model for requests by a video API, or `undefined` when it has none. */
export function findJobEndpoint(
  channel: Channel,
  model: string,
  apiVariant: ApiVariant,
): JobEndpoint | undefined {
  const provider = findProvider(channel.type);
  const surface = provider?.jobs?.find(
    (candidate) =>
      (apiVariant === 'generic' || candidate.native === true) && (candidate.serves?.(model) ?? true),
  );
  if (!provider || !surface) return undefined;
  const address = findBaseUrl(provider, channel.baseUrl, channel.settings);
  if (address === undefined && surface.answer === undefined) return undefined;
  const url = joinUpstreamUrl(address ?? NO_ADDRESS, provider.versionPath, '');
  return { surface, baseUrl: url.href.replace(/\/+$/, '') };
}

export interface JobCallFacts {
  readonly channel: Channel;
  readonly endpoint: JobEndpoint;
  readonly upstreamModel: string;
  /** SHA-256 of the key that the task was made with; without it the channel's first key is taken. */
  readonly keyHash: string | undefined;
  readonly taskId: string;
  readonly nowMs: number;
  readonly obtainToken: SigningContext['obtainToken'];
}

/** What a surface gets of a call. A key that is gone was rotated: its successor belongs to the same account. */
export function describeJobCall(facts: JobCallFacts): JobCall {
  const { channel, endpoint, keyHash } = facts;
  const keys = [...channel.apiKeys, ...(channel.disabledKeys ?? [])];
  const pinned = keys.find((key) => sha256(key) === keyHash);
  return {
    model: facts.upstreamModel,
    baseUrl: endpoint.baseUrl,
    settings: channel.settings,
    reference: facts.taskId,
    apiKey: pinned ?? keys[0],
    nowMs: facts.nowMs,
    obtainToken: facts.obtainToken,
  };
}
