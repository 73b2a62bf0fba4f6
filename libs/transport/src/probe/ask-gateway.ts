import {
  CHANNEL_TEST_MS,
  type ChannelTestMessage,
  type ChannelTestPort,
  GATEWAY_PATTERN,
  MODEL_LIST_MS,
  type ModelListMessage,
  type ModelListOutcome,
  type ProbeOutcome,
  refuse,
} from '@mg/contract';
import type { RedisScope } from '../access/redis-scope.js';
import { RedisRpcClient } from '../rpc/redis-rpc-client.js';

/** Time for the way there and back, beside the test itself. */
const MARGIN_MS = 3_000;

export interface ChannelTester extends ChannelTestPort {
  close(): Promise<void>;
}

/** Has channels tested, and models listed, by whichever gateway takes the request first. */
export function createChannelTester(redis: RedisScope): ChannelTester {
  const client = new RedisRpcClient({ redis, plane: 'gateway' });
  const ask = async (pattern: string, message: object, withinMs: number): Promise<unknown> => {
    try {
      return await client.request(pattern, message, withinMs + MARGIN_MS);
    } catch (cause) {
      throw refuse('service_unavailable', 'no_gateway', { retryAfter: 1, cause });
    }
  };
  return {
    async testChannel(channelId, upstreamModel) {
      const message: ChannelTestMessage = { channel_id: channelId, model: upstreamModel };
      return (await ask(GATEWAY_PATTERN.channelTest, message, CHANNEL_TEST_MS)) as ProbeOutcome;
    },
    async listModels(channelId) {
      const message: ModelListMessage = { channel_id: channelId };
      return (await ask(GATEWAY_PATTERN.modelList, message, MODEL_LIST_MS)) as ModelListOutcome;
    },
    close: () => client.close(),
  };
}
