import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTcpProxy, startTestServices, type TestServices } from '@mg/testkit';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisScope, type RefusedMessage } from '../access/redis-scope.js';
import { RedisRpcClient } from './redis-rpc-client.js';
import { RedisRpcServer } from './redis-rpc-server.js';

const PATTERN = 'billing.ping';
const WITHIN_MS = 2_000;

describe('requests over Redis', () => {
  let services: TestServices;
  let redis: RedisScope;
  const refused: RefusedMessage[] = [];
  let client: RedisRpcClient;
  const servers: RedisRpcServer[] = [];
  beforeAll(async () => {
    services = await startTestServices();
    redis = openScope('this installation');
  });
  beforeEach(() => {
    refused.length = 0;
    client = new RedisRpcClient({ redis, plane: 'billing' });
  });
  afterEach(async () => {
    await Promise.all([client.close(), ...servers.splice(0).map((server) => server.close())]);
  });
  afterAll(() => services.stop());

  function openScope(secret: string, redisUrl = services.redisUrl): RedisScope {
    return new RedisScope({ redisUrl, secret, onRefused: (reason) => refused.push(reason) });
  }
  async function serve(handle: (data: unknown) => Promise<unknown>, scope = redis): Promise<RedisRpcServer> {
    const server = new RedisRpcServer({
      redis: scope,
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
  const ask = (data: unknown = {}, withinMs = WITHIN_MS) => client.request(PATTERN, data as object, withinMs);

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
    const away = new RedisRpcClient({ redis: openScope('x', 'redis://127.0.0.1:1'), plane: 'billing' });
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

  it.each(['before', 'after'])(
    'engines 3: keep no server that closes waiting where Redis goes just %s it',
    async (moment) => {
      const proxy = await createTcpProxy(services.redisUrl);
      const started = Promise.withResolvers<void>();
      const never = new Promise<never>(() => undefined);
      const server = await serve(
        () => {
          started.resolve();
          return never;
        },
        openScope('this installation', proxy.url),
      );
      await whenConnected();
      const asked = ask({}, 50).catch(() => undefined);
      await started.promise;
      const gone = moment === 'before' ? proxy.cut() : undefined;
      const closed = server.close();
      await Promise.all([gone ?? proxy.cut(), closed, asked]);
      expect(server.connected).toBe(false);
      await proxy.close();
    },
  );

  it('leave no error that nobody awaits where their server closes while it connects again', async () => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const proxy = await createTcpProxy(services.redisUrl, undefined, (from, to) => {
      from.on('data', (chunk) => {
        // The last thing that a client asks before it is ready.
        if (isHolding && chunk.includes('redis_version')) held.push(() => to.write(chunk));
        else to.write(chunk);
      });
    });
    const server = await serve(async (data) => data, openScope('this installation', proxy.url));
    await proxy.cut();
    isHolding = true;
    await proxy.mend();
    await expect.poll(() => held).toHaveLength(2);
    const unawaited: unknown[] = [];
    const keep = (error: unknown) => void unawaited.push(error);
    process.on('unhandledRejection', keep);
    const ended = server.unwrap().map((connection) => once(connection, 'end'));
    const closed = server.close();
    for (const release of held) release();
    await Promise.all([closed, ...ended]);
    // Such an error is reported once all that was due in this turn has run.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', keep);
    expect(unawaited).toEqual([]);
    await proxy.close();
  });

  it('are served again after an outage', async () => {
    const proxy = await createTcpProxy(services.redisUrl);
    await serve(async (data) => data, openScope('this installation', proxy.url));
    await whenConnected();
    expect(await ask({ number: 1 })).toEqual({ number: 1 });
    await proxy.cut();
    await expect(ask()).rejects.toMatchObject({ reason: 'nobody_listens' });
    await proxy.mend();
    await expect.poll(() => ask({ number: 2 }).catch(() => undefined)).toEqual({ number: 2 });
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await proxy.close();
  });

  it('that come while a server closes are replied to, where Redis is slow to send it no more', async () => {
    const finish = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const started: number[] = [];
    const server = await serve(async () => {
      const place = started.push(started.length) - 1;
      await finish[place]?.promise;
      return { place };
    });
    await whenConnected();
    const [subscriber] = server.unwrap();
    subscriber.unsubscribe = async () => 0;
    const first = ask();
    await expect.poll(() => started).toHaveLength(1);
    const closed = server.close();
    const second = ask();
    await expect.poll(() => started).toHaveLength(2);
    finish[0].resolve();
    expect(await first).toEqual({ place: 0 });
    finish[1].resolve();
    expect(await second).toEqual({ place: 1 });
    await closed;
  });

  it('look as they are written down: a signed packet there and one back, on the channel of its sender', async () => {
    await serve(async (data) => data);
    const [publisher, subscriber] = [new Redis(services.redisUrl), new Redis(services.redisUrl)];
    const sender = randomUUID();
    const [asked, answered] = [redis.name(PATTERN), redis.name(`billing.reply.${sender}`)];
    await subscriber.subscribe(answered);
    const reply = once(subscriber, 'message');
    const packet = { pattern: PATTERN, data: { question: 1 }, id: `${sender}:0` };
    expect(await publisher.publish(asked, redis.sign(asked, JSON.stringify(packet)))).toBe(1);
    const [, message] = (await reply) as [string, string];
    expect(JSON.parse(redis.open(answered, message) ?? '')).toEqual({
      response: { question: 1 },
      id: `${sender}:0`,
      isDisposed: true,
    });
    publisher.disconnect();
    subscriber.disconnect();
  });

  describe('F12: of two installations on one Redis', () => {
    it('reach their own alone', async () => {
      const other = openScope('another installation');
      await serve(async () => ({ from: 'this' }));
      await serve(async () => ({ from: 'another' }), other);
      const stranger = new RedisRpcClient({ redis: other, plane: 'billing' });
      await whenConnected();
      await expect.poll(() => stranger.request(PATTERN, {}, WITHIN_MS).catch(() => undefined)).toBeDefined();
      for (let turn = 0; turn < 20; turn++) {
        expect(await ask()).toEqual({ from: 'this' });
        expect(await stranger.request(PATTERN, {}, WITHIN_MS)).toEqual({ from: 'another' });
      }
      expect(refused).toEqual([]);
      await stranger.close();
    });

    it('are dropped where they are unsigned, altered, recorded or signed by somebody else', async () => {
      const served: unknown[] = [];
      await serve(async (data) => void served.push(data));
      await whenConnected();
      const publisher = new Redis(services.redisUrl);
      const channel = redis.name(PATTERN);
      const packet = (data: unknown, id = `${randomUUID()}:0`) =>
        JSON.stringify({ pattern: PATTERN, data, id });
      const good = redis.sign(channel, packet('good'));
      await publisher.publish(channel, packet('unsigned'));
      await publisher.publish(channel, good.replace('"good"', '"altered"'));
      await publisher.publish(channel, openScope('another installation').sign(channel, packet('forged')));
      await publisher.publish(channel, redis.sign(channel, packet('recorded'), Date.now() - 61_000));
      for (let copy = 0; copy < 3; copy++) await publisher.publish(channel, good);
      await ask('the last');
      await expect.poll(() => served).toEqual(['good', 'the last']);
      expect(refused).toEqual(['malformed', 'forged', 'forged', 'expired']);
      publisher.disconnect();
    });

    it('get no reply that somebody else made up', async () => {
      const strange = new Redis(services.redisUrl);
      const publisher = strange.duplicate();
      const [asked, forger] = [redis.name(PATTERN), openScope('another installation')];
      strange.on('message', (_channel, message: string) => {
        const { id } = JSON.parse(redis.open(asked, message) ?? '') as { id: string };
        const channel = redis.name(`billing.reply.${id.split(':')[0]}`);
        const reply = JSON.stringify({ id, response: { balance: '1' }, isDisposed: true });
        void publisher
          .publish(channel, reply)
          .then(() => publisher.publish(channel, forger.sign(channel, reply)));
      });
      await strange.subscribe(asked);
      await whenConnected();
      await expect(ask({}, 300)).rejects.toMatchObject({ reason: 'timeout' });
      expect(refused).toEqual(['malformed', 'forged']);
      strange.disconnect();
      publisher.disconnect();
    });
  });
});
