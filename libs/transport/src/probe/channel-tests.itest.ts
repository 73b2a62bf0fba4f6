import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeOutcome } from '@mg/contract';
import { startTestServices, type TestServices } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisScope } from '../access/redis-scope.js';
import { type ChannelTester, createChannelTester } from './ask-gateway.js';
import { type ChannelTestServer, serveChannelTests } from './serve-channel-tests.js';

const OUTCOME: ProbeOutcome = { ok: true, latency_ms: 5, status: 200, message: 'The upstream answered.' };

describe('a console that has a channel tried', () => {
  let services: TestServices;
  let redis: RedisScope;
  let tester: ChannelTester;
  const gateways: ChannelTestServer[] = [];
  const taken: string[] = [];
  beforeAll(async () => {
    services = await startTestServices();
    redis = new RedisScope({ redisUrl: services.redisUrl, secret: 's', onRefused: () => undefined });
    tester = createChannelTester(redis);
  });
  afterAll(async () => {
    await Promise.all([tester.close(), ...gateways.map((gateway) => gateway.close())]);
    await services.stop();
  });

  it('hears that no gateway is up', async () => {
    await expect(tester.testChannel('a', 'model')).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('No gateway answers'),
    });
  });

  it('is answered by one of the gateways, once', async () => {
    for (const name of ['one', 'two']) {
      gateways.push(
        serveChannelTests(redis, {
          async testChannel(channelId, model) {
            taken.push(`${name} ${channelId} ${model}`);
            await sleep(5);
            return OUTCOME;
          },
          listModels: async (channelId) => ({ ...OUTCOME, supported: true, models: [{ name: channelId }] }),
        }),
      );
    }
    await expect.poll(() => tester.testChannel('a', 'first').catch(() => undefined)).toEqual(OUTCOME);
    await expect
      .poll(async () => {
        taken.length = 0;
        await tester.testChannel('b', 'second');
        return taken.length;
      })
      .toBe(1);
    expect(taken[0]).toMatch(/^(one|two) b second$/);
    expect(await tester.listModels('c')).toMatchObject({ models: [{ name: 'c' }] });
  });
});
