import type { Channel } from '@mg/contract';
import type { Exchange } from '@mg/protocols';
import {
  chooseExchange,
  type ExchangeSurface,
  findBaseUrl,
  findProvider,
  type ProviderDescriptor,
} from '@mg/providers';

/** How a channel is called for an exchange. */
export interface ExchangeEndpoint {
  readonly provider: ProviderDescriptor;
  readonly surface: ExchangeSurface;
  /** `undefined` where the provider answers in this process. */
  readonly baseUrl: string | undefined;
}

/** The channel's surface for an operation and a model, or `undefined` when its provider serves no such call. */
export function findExchangeEndpoint(
  channel: Channel,
  model: string,
  { operation, protocol }: Pick<Exchange, 'operation' | 'protocol'>,
): ExchangeEndpoint | undefined {
  const provider = findProvider(channel.type);
  const surface = provider && chooseExchange(provider, operation, model, protocol, channel.settings);
  if (!provider || !surface) return undefined;
  const baseUrl = findBaseUrl(provider, channel.baseUrl, channel.settings);
  if (surface.answer === undefined && baseUrl === undefined) return undefined;
  return { provider, surface, baseUrl };
}
