import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { watchSlowness } from '@mg/testkit';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DRAINING, drainConnectionsOnClose } from './drain-connections.js';

const GRACE_MS = 5_000;

const AT_ONCE = 50;
/** Callers in a thread of their own: they connect and ask while this one is busy, and count who was answered. */
const CROWD = `
  const { connect } = require('node:net');
  const { workerData: { port, count, connected }, parentPort } = require('node:worker_threads');
  let left = count;
  let answered = 0;
  for (let caller = 0; caller < count; caller++) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    });
    socket.once('data', (data) => { if (String(data).startsWith('HTTP/1.1 200')) answered++; });
    socket.on('error', () => {});
    socket.once('close', () => { if (--left === 0) parentPort.postMessage(answered); });
  }
`;

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
}

describe('a server that drains', () => {
  let server: FastifyInstance;
  let agent: Agent;
  let port: number;
  const ask = (path = '/') =>
    new Promise<Answer>((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', path, agent }, (response) => {
        response.resume();
        response.once('end', () =>
          resolve({ status: response.statusCode, connection: response.headers.connection }),
        );
      });
      request.once('error', reject);
    });
  beforeEach(async () => {
    server = fastify(DRAINING);
    agent = new Agent({ keepAlive: true });
    drainConnectionsOnClose(server, GRACE_MS);
    server.get('/', async () => 'here');
    server.get('/slow', () => new Promise((resolve) => setTimeout(resolve, 1_500, 'here')));
    await server.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = server.server.address() as AddressInfo);
  });
  afterEach(async () => {
    agent.destroy();
    await server.close();
  });

  it('serves who comes once more, on an old connection and on a new one, and tells them to leave', async () => {
    expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = server.close();
    expect(await ask()).toEqual({ status: 200, connection: 'close' });
    expect(await ask()).toEqual({ status: 200, connection: 'close' });
    await closed;
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  });

  it('finishes what has begun while nobody new is let in any more', async () => {
    const slow = ask('/slow');
    await new Promise((resolve) => server.server.once('request', resolve));
    const closed = server.close();
    await new Promise<void>((resolve) => {
      const look = () => (server.server.listening ? setTimeout(look, 20) : resolve());
      look();
    });
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
    expect((await slow).status).toBe(200);
    await closed;
  });

  it('serves everybody who connected while the process was busy', async () => {
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const crowd = new Worker(CROWD, { eval: true, workerData: { port, count: AT_ONCE, connected } });
    const answered = once(crowd, 'message');
    for (let count = 0; count < AT_ONCE; count = Atomics.load(connected, 0))
      Atomics.wait(connected, 0, count);
    await server.close();
    expect(await answered).toEqual([AT_ONCE]);
  });

  it('does not wait for connections that have never sent anything', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(server.server, 'connection');
    const ended = once(socket, 'close');
    const readSlowness = watchSlowness();
    const began = performance.now();
    await server.close();
    await ended;
    expect(performance.now() - began).toBeLessThan((GRACE_MS - 1_000) * readSlowness());
  });

  it('closes at once when nobody is connected', async () => {
    const readSlowness = watchSlowness();
    const began = performance.now();
    await server.close();
    expect(performance.now() - began).toBeLessThan(500 * readSlowness());
  });
});
