import type { Channel } from '@mg/contract';
import type { ModelTraits, ProtocolName } from '@mg/protocols';
import {
  chooseSurface,
  findBaseUrl,
  findProvider,
  type Operation,
  type ProviderDescriptor,
  type Surface,
} from '@mg/providers';

/** How a channel is called for chats or counts of tokens with a model, by clients of a protocol. */
export interface ChatEndpoint {
  readonly provider: ProviderDescriptor;
  readonly surface: Surface;
  readonly traits: ModelTraits;
  /** `undefined` where the provider answers in this process. */
  readonly baseUrl: string | undefined;
}

/** Endpoints of channels for chats. Each is found once for a channel of a snapshot and goes with it. */
export class ChatEndpoints {
  readonly #found = new WeakMap<Channel, Map<string, ChatEndpoint | undefined>>();

  /** The channel's endpoint for a model, or `undefined` when its provider serves no such call. */
  find(
    channel: Channel,
    operation: Operation,
    model: string,
    protocol: ProtocolName,
  ): ChatEndpoint | undefined {
    let found = this.#found.get(channel);
    if (!found) {
      found = new Map();
      this.#found.set(channel, found);
    }
    const key = `${operation} ${protocol} ${model}`;
    if (!found.has(key)) found.set(key, locate(channel, operation, model, protocol));
    return found.get(key);
  }
}

function locate(
  channel: Channel,
  operation: Operation,
  model: string,
  protocol: ProtocolName,
): ChatEndpoint | undefined {
  const provider = findProvider(channel.type);
  const surface = provider && chooseSurface(provider, operation, model, protocol, channel.settings);
  if (!provider || !surface) return undefined;
  const baseUrl = findBaseUrl(provider, channel.baseUrl, channel.settings);
  if (surface.answer === undefined && baseUrl === undefined) return undefined;
  return { provider, surface, traits: surface.traits?.(model, channel.settings) ?? {}, baseUrl };
}
