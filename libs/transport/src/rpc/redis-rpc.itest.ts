import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { startTestServices, type TestServices } from '@mg/testkit';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisRpcClient } from './redis-rpc-client.js';
import { RedisRpcServer } from './redis-rpc-server.js';

const PATTERN = 'billing.ping';
const WITHIN_MS = 2_000;

describe('requests over Redis', () => {
  let services: TestServices;
  let client: RedisRpcClient;
  const servers: RedisRpcServer[] = [];
  beforeAll(async () => {
    services = await startTestServices();
  });
  beforeEach(() => {
    client = new RedisRpcClient({ redisUrl: services.redisUrl, plane: 'billing' });
  });
  afterEach(async () => {
    await Promise.all([client.close(), ...servers.splice(0).map((server) => server.close())]);
  });
  afterAll(() => services.stop());

  async function serve(handle: (data: unknown) => Promise<unknown>): Promise<RedisRpcServer> {
    const server = new RedisRpcServer({
      redisUrl: services.redisUrl,
      plane: 'billing',
      onError: () => undefined,
    });
    server.addHandler(PATTERN, handle);
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.listen((error) => (error === undefined ? resolve() : reject(error as Error)));
    });
    return server;
  }
  const whenConnected = () =>
    expect
      .poll(() =>
        client.connect().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  const ask = (data: object = {}, withinMs = WITHIN_MS) => client.request(PATTERN, data, withinMs);

  it('are served once, by one of the replicas', async () => {
    const served: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      await serve(async () => {
        served.push(name);
        return { name };
      });
    }
    await whenConnected();
    const replies = await Promise.all(Array.from({ length: 50 }, (_, number) => ask({ number })));
    expect(replies).toHaveLength(50);
    expect(served).toHaveLength(50);
  });

  it('are replied to with the error of a handler as it is, and with nothing of an unexpected one', async () => {
    await serve((data) => Promise.reject((data as { readonly error: unknown }).error));
    await whenConnected();
    await expect(ask({ error: { code: 'conflict', message: 'No.' } })).rejects.toEqual({
      code: 'conflict',
      message: 'No.',
    });
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await serve(() => Promise.reject(new Error('the password is hunter2')));
    await expect(ask()).rejects.toEqual({ message: 'The request could not be served.' });
  });

  it('fail at once when nobody listens, and in time when nobody replies', async () => {
    await whenConnected();
    await expect(ask()).rejects.toMatchObject({ reason: 'nobody_listens' });
    await serve(() => new Promise(() => undefined));
    await expect(ask({}, 50)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('fail at once without Redis', async () => {
    const away = new RedisRpcClient({ redisUrl: 'redis://127.0.0.1:1', plane: 'billing' });
    await expect(away.request(PATTERN, {}, WITHIN_MS)).rejects.toMatchObject({ reason: 'disconnected' });
    await away.close();
  });

  it('that run are replied to by a server that closes, and no others are taken', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const server = await serve(async () => {
      started.resolve();
      await finish.promise;
      return { done: true };
    });
    await whenConnected();
    const reply = ask();
    await started.promise;
    const closed = server.close();
    await expect.poll(() => ask().catch((error: { reason: string }) => error.reason)).toBe('nobody_listens');
    finish.resolve();
    expect(await reply).toEqual({ done: true });
    await closed;
    expect(server.connected).toBe(false);
  });

  it('look as they did in every version: one packet there and one back, on the channel of its sender', async () => {
    await serve(async (data) => data);
    const sender = randomUUID();
    const [publisher, subscriber] = [new Redis(services.redisUrl), new Redis(services.redisUrl)];
    await subscriber.subscribe(`billing.reply.${sender}`);
    const reply = once(subscriber, 'message');
    const packet = { pattern: PATTERN, data: { question: 1 }, id: `${sender}:0` };
    expect(await publisher.publish(PATTERN, JSON.stringify(packet))).toBe(1);
    const [, text] = (await reply) as [string, string];
    expect(JSON.parse(text)).toEqual({ response: { question: 1 }, id: `${sender}:0`, isDisposed: true });
    publisher.disconnect();
    subscriber.disconnect();
  });
});
