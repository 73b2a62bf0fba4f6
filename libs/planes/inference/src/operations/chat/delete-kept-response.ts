import { type Channel, sha256 } from '@mg/contract';
import type { ResponseHolder } from '@mg/persistence/gateway';
import { addressKeptResponse, findBaseUrl, findProvider } from '@mg/providers';
import type { GatewayContext } from '../../call/gateway-context.js';
import { readWholeBody } from '../../call/read-body.js';

/** How long a caller waits for an upstream to delete a response. */
const DELETED_WITHIN_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const NOT_FOUND = 404;
const NOTHING = Buffer.alloc(0);

type DeletingGateway = Pick<GatewayContext, 'findChannel' | 'upstream' | 'logger'>;

/**
 * Deletes what an upstream keeps of a response, with the key that holds it, a disabled one too. Never rejects: where the channel or
 * the key is gone, or the upstream fails, its copy ends when the upstream's own time for it is over.
 */
export async function deleteKeptResponse(
  id: string,
  { channelId, keyHash }: ResponseHolder,
  gateway: DeletingGateway,
): Promise<void> {
  try {
    const channel = await gateway.findChannel(channelId);
    const address = channel && findAddress(id, channel, keyHash);
    if (!address) return;
    const timeouts = { ...channel.timeouts, totalMs: DELETED_WITHIN_MS };
    const request = { ...address, method: 'DELETE' as const, body: NOTHING, streamed: false, timeouts };
    const reply = await gateway.upstream.call(request).reply;
    await readWholeBody(reply, MAX_ANSWER_BYTES);
    if (reply.status >= 300 && reply.status !== NOT_FOUND) {
      throw new Error(`The upstream answered with status ${reply.status}.`);
    }
  } catch (error) {
    gateway.logger.warn(
      { err: error, channelId },
      'an upstream keeps a response that its caller has deleted',
    );
  }
}

function findAddress(id: string, channel: Channel, keyHash: string) {
  const { type, apiKeys, disabledKeys = [], settings } = channel;
  const provider = findProvider(type);
  const apiKey = [...apiKeys, ...disabledKeys].find((key) => sha256(key) === keyHash);
  const baseUrl = provider && findBaseUrl(provider, channel.baseUrl, settings);
  if (!provider || apiKey === undefined || baseUrl === undefined) return undefined;
  return addressKeptResponse(provider, id, baseUrl, settings, apiKey);
}
