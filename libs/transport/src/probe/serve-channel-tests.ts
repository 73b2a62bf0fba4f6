import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChannelTestMessage,
  type ChannelTestPort,
  GATEWAY_PATTERN,
  type ModelListMessage,
} from '@mg/contract';
import type { RedisScope } from '../access/redis-scope.js';
import { RedisRpcServer } from '../rpc/redis-rpc-server.js';

const RETRY_MS = 1_000;

export interface ChannelTestServer {
  close(): Promise<void>;
}

/**
 * Serves the console's requests to test a channel and to list its provider's models; each is served by one gateway. Tries
 * Redis again until it is there.
 *
 * @param channels never rejects.
 */
export function serveChannelTests(redis: RedisScope, channels: ChannelTestPort): ChannelTestServer {
  const stop = new AbortController();
  let server: RedisRpcServer | undefined;
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      server = new RedisRpcServer({ redis, plane: 'gateway', onError: () => undefined });
      server.addHandler(GATEWAY_PATTERN.channelTest, async (message: ChannelTestMessage) =>
        channels.testChannel(message.channel_id, message.model),
      );
      server.addHandler(GATEWAY_PATTERN.modelList, async (message: ModelListMessage) =>
        channels.listModels(message.channel_id),
      );
      if (await listens(server)) return;
      await server.close();
      await sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    async close() {
      stop.abort();
      await server?.close();
      await running;
    },
  };
}

function listens(server: RedisRpcServer): Promise<boolean> {
  return new Promise((resolve) => {
    void server.listen((error?: unknown) => resolve(error === undefined));
  });
}
