import type { Channel } from '@mg/contract';
import { findProvider, type Operation, type Surface } from '@mg/providers';
import { joinUpstreamUrl } from '@mg/transport';

/** Where and how a channel is called for an operation. */
export interface ChannelEndpoint {
  readonly surface: Surface;
  /** `undefined` where the provider answers in this process. */
  readonly url: URL | undefined;
  /** The channel's credentials in turn. */
  nextKey(): string | undefined;
}

const ENDPOINTS = new WeakMap<Channel, Map<Operation, ChannelEndpoint | undefined>>();

/** The channel's endpoint for an operation, or `undefined` when its provider has none. Built once per snapshot. */
export function findEndpoint(channel: Channel, operation: Operation): ChannelEndpoint | undefined {
  let byOperation = ENDPOINTS.get(channel);
  if (!byOperation) {
    byOperation = new Map();
    ENDPOINTS.set(channel, byOperation);
  }
  if (!byOperation.has(operation)) byOperation.set(operation, buildEndpoint(channel, operation));
  return byOperation.get(operation);
}

function buildEndpoint(channel: Channel, operation: Operation): ChannelEndpoint | undefined {
  const provider = findProvider(channel.type);
  const surface = provider?.surfaces.find((candidate) => candidate.operation === operation);
  if (!provider || !surface) return undefined;
  const baseUrl = channel.baseUrl ?? provider.defaultBaseUrl;
  if (surface.answer === undefined && baseUrl === undefined) return undefined;
  const url =
    surface.answer === undefined && baseUrl !== undefined
      ? joinUpstreamUrl(baseUrl, provider.versionPath, surface.path)
      : undefined;
  let turn = 0;
  return {
    surface,
    url,
    nextKey: () =>
      channel.apiKeys.length === 0 ? undefined : channel.apiKeys[turn++ % channel.apiKeys.length],
  };
}
