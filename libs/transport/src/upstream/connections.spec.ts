import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { makeCertificate } from '@mg/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HttpUpstream } from './http-upstream.js';

const TIMEOUTS = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 30_000 };
const SOON = { timeout: 20_000, interval: 5 };

const servers: Server[] = [];
const upstreams: HttpUpstream[] = [];
afterEach(async () => {
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  servers.push(server);
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (answer: RequestListener, host?: string, port?: number) =>
  listen(createServer(answer), host, port);

function open(options: ConstructorParameters<typeof HttpUpstream>[1] = {}): HttpUpstream {
  const upstream = new HttpUpstream('0123456789abcdef', options);
  upstreams.push(upstream);
  return upstream;
}

async function ask(upstream: HttpUpstream, url: string): Promise<string> {
  const call = upstream.call({
    url: new URL(url),
    headers: {},
    body: Buffer.from('{}'),
    streamed: false,
    timeouts: TIMEOUTS,
  });
  const reply = await call.reply;
  return new Promise((resolve, reject) => {
    let text = '';
    reply.read({
      data: (chunk) => void (text += chunk.toString()),
      end: () => resolve(text),
      fail: reject,
    });
  });
}

/** A resolver that answers with what `address` says now, in a later turn. */
function resolver(address: () => string, watch: (under: number) => void = () => undefined): LookupFunction {
  let under = 0;
  return (_host, options, done) => {
    watch(++under);
    setTimeout(() => {
      watch(--under);
      if (options.all) done(null, [{ address: address(), family: 4 }]);
      else done(null, address(), 4);
    }, 2);
  };
}

describe('connections to an upstream', () => {
  it('are opened a few at once when 1,000 calls meet a cold pool, and all calls are answered', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    let most = 0;
    const lookup = resolver(
      () => '127.0.0.1',
      (under) => (most = Math.max(most, under)),
    );
    const upstream = open({ lookup, maxConnecting: 20 });
    const calls = Array.from({ length: 1_000 }, () => ask(upstream, `http://upstream.test:${port}/`));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ok']));
    expect(most).toBe(20);
  });

  it('that never get a turn fail as those that cannot be opened', async () => {
    const lookup: LookupFunction = () => undefined;
    const upstream = open({ lookup, maxConnecting: 1 });
    const ended = Promise.allSettled(
      [1, 2, 3].map(
        () =>
          upstream.call({
            url: new URL('http://upstream.test/'),
            headers: {},
            body: Buffer.from('{}'),
            streamed: false,
            timeouts: { ...TIMEOUTS, connectMs: 50 },
          }).reply,
      ),
    );
    expect((await ended).map((end) => (end as PromiseRejectedResult).reason as unknown)).toMatchObject(
      Array.from({ length: 3 }, () => ({ kind: 'unreachable' })),
    );
  });

  it('follow a name that leads elsewhere once they are old', async () => {
    const port = await serve((_request, response) => response.end('old'), '127.0.0.1');
    await serve((_request, response) => response.end('new'), '127.0.0.2', port);
    let address = '127.0.0.1';
    const upstream = open({ lookup: resolver(() => address), maxAgeMs: 50 });
    expect(await ask(upstream, `http://upstream.test:${port}/`)).toBe('old');
    address = '127.0.0.2';
    await vi.waitUntil(async () => (await ask(upstream, `http://upstream.test:${port}/`)) === 'new', SOON);
  });

  it('are used again while they are young', async () => {
    const sockets = new Set<unknown>();
    const port = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const upstream = open();
    for (let call = 0; call < 5; call++) {
      await ask(upstream, `http://127.0.0.1:${port}/`);
      await nextTurn();
    }
    expect(sockets.size).toBe(1);
  });

  it('that the upstream has closed while they were idle fail no call', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    const port = await listen(server);
    const upstream = open();
    for (let round = 0; round < 20; round++) {
      expect(await ask(upstream, `http://127.0.0.1:${port}/`)).toBe('ok');
      const closed = vi.waitUntil(() => countConnections(server).then((count) => count === 0), SOON);
      server.closeIdleConnections();
      await closed;
    }
  });

  it('are not used any longer than the upstream says that it keeps them', async () => {
    const sockets = new Set<unknown>();
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      response.setHeader('keep-alive', 'timeout=1');
      response.end('ok');
    });
    const port = await listen(server);
    const upstream = open();
    for (let call = 0; call < 3; call++) await ask(upstream, `http://127.0.0.1:${port}/`);
    expect(sockets.size).toBe(3);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('go on with a session of %s', async (version) => {
    const certificate = makeCertificate('upstream.test');
    const reused: boolean[] = [];
    const server = createTlsServer(
      { ...certificate, minVersion: version, maxVersion: version },
      (request, response) => {
        reused.push((request.socket as TLSSocket).isSessionReused());
        response.setHeader('connection', 'close').end('ok');
      },
    );
    const port = await listen(server);
    const upstream = open({ lookup: resolver(() => '127.0.0.1'), ca: certificate.cert });
    for (let call = 0; call < 4; call++) await ask(upstream, `https://upstream.test:${port}/`);
    expect(reused).toEqual([false, true, true, true]);
  });

  it('that speak HTTP/2 alone cannot be opened: nothing was sent', async () => {
    const certificate = makeCertificate('upstream.test');
    const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2'] });
    const port = await listen(server);
    const upstream = open({ lookup: resolver(() => '127.0.0.1'), ca: certificate.cert });
    await expect(ask(upstream, `https://upstream.test:${port}/`)).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });
});

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
