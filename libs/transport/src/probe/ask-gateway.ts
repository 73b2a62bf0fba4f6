import {
  CHANNEL_TEST_MS,
  type ChannelTestMessage,
  type ChannelTestPort,
  GATEWAY_PATTERN,
  GatewayError,
  type ProbeOutcome,
} from '@mg/contract';
import type { RedisScope } from '../access/redis-scope.js';
import { RedisRpcClient } from '../rpc/redis-rpc-client.js';

/** Time for the way there and back, beside the test itself. */
const MARGIN_MS = 3_000;

export interface ChannelTester extends ChannelTestPort {
  close(): Promise<void>;
}

/** Has channels tested by whichever gateway takes the request first. */
export function createChannelTester(redis: RedisScope): ChannelTester {
  const client = new RedisRpcClient({ redis, plane: 'gateway' });
  return {
    async testChannel(channelId, upstreamModel) {
      const message: ChannelTestMessage = { channel_id: channelId, model: upstreamModel };
      try {
        const withinMs = CHANNEL_TEST_MS + MARGIN_MS;
        return (await client.request(GATEWAY_PATTERN.channelTest, message, withinMs)) as ProbeOutcome;
      } catch (cause) {
        throw new GatewayError(
          'service_unavailable',
          'No gateway answers, and only a gateway may use the keys of a channel: see that one runs, and try again.',
          { retryAfter: 1, cause },
        );
      }
    },
    close: () => client.close(),
  };
}
