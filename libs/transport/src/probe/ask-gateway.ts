import {
  CHANNEL_TEST_MS,
  type ChannelTestMessage,
  type ChannelTestPort,
  GATEWAY_PATTERN,
  GatewayError,
  type ProbeOutcome,
} from '@mg/contract';
import { AskingClientRedis } from '../billing/asking-client-redis.js';

/** Time for the way there and back, beside the test itself. */
const MARGIN_MS = 3_000;

export interface ChannelTester extends ChannelTestPort {
  close(): Promise<void>;
}

/** Has channels tried by whichever gateway takes the question first. */
export function createChannelTester(redisUrl: string): ChannelTester {
  const line = new AskingClientRedis(redisUrl, () => undefined, 'gateway');
  const started = line.start();
  return {
    async testChannel(channelId, upstreamModel) {
      const message: ChannelTestMessage = { channel_id: channelId, model: upstreamModel };
      try {
        const answer = await line.ask(GATEWAY_PATTERN.channelTest, message, CHANNEL_TEST_MS + MARGIN_MS);
        return answer as ProbeOutcome;
      } catch (cause) {
        throw new GatewayError(
          'service_unavailable',
          'No gateway answers, and only a gateway may use the keys of a channel: see that one runs, and try again.',
          { retryAfter: 1, cause },
        );
      }
    },
    async close() {
      await line.close();
      await started;
    },
  };
}
