import { type CallerToken, GatewayError } from '@mg/contract';
import type { CachedContent } from '@mg/persistence/gateway';
import type { GatewayContext } from '../../call/gateway-context.js';
import { resolveModel } from '../../call/resolve-model.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { readCached } from './read-cached.js';

/**
 * The request with what it goes on from: a cached content of the caller's wallet, made for the model that it asks.
 *
 * @throws GatewayError `invalid_request` for one that the wallet does not have, or of another model; `service_unavailable`.
 */
export async function goOnFromCached(
  chat: ChatRequest,
  id: string,
  { walletId }: CallerToken,
  gateway: GatewayContext,
): Promise<ChatRequest> {
  const content = await readCached(gateway.cachedContents.find(walletId, id));
  if (!content) throw refuse('is not there: it was never made, or its time is over');
  if (resolveModel(gateway.catalog(), chat.envelope.model)?.slug !== content.model) {
    throw refuse(`was made for the model ${content.model}`);
  }
  return chat.goOnFrom(toPrefix(content));
}

function toPrefix({ channelId, keyHash, upstreamName }: CachedContent) {
  return { channelId, keyHash, upstreamName };
}

function refuse(problem: string): GatewayError {
  return new GatewayError('invalid_request', `The cached content ${problem}.`, { param: 'cachedContent' });
}
