import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientConnection } from './client-connection.js';

/** More than the socket's buffers take. */
const MUCH = Buffer.alloc(8 * 1024 * 1024, 'a');
const STALLED_MS = 60_000;

describe('a stream', () => {
  it('comes as it was written, in chunks of any length', async () => {
    const lengths = [1, 15, 16, 255, 256, 4_095, 4_096, 65_536, 300_000];
    const pieces = lengths.map((length, index) => Buffer.alloc(length, 0x61 + index));
    const server = fastify();
    server.get('/', (_request, reply) => {
      const connection = new ClientConnection(reply, false);
      connection.openStream({ 'content-type': 'text/event-stream' });
      for (const piece of pieces) connection.write(piece, () => undefined);
      connection.endStream(Buffer.from('end'));
      return reply;
    });
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const body = Buffer.from(await (await fetch(address)).arrayBuffer());
    await server.close();
    expect(body.equals(Buffer.concat([...pieces, Buffer.from('end')]))).toBe(true);
  });

  it('comes as it was written to clients that read late, each its own', async () => {
    // Small events, and in all more than the sockets' buffers take.
    const pieces = Array.from({ length: 3_000 }, (_, index) => Buffer.alloc(4_000, `event ${index} `));
    const streams: ClientConnection[] = [];
    const opened = Promise.withResolvers<void>();
    const server = fastify();
    server.get('/', (_request, reply) => {
      const connection = new ClientConnection(reply, false);
      connection.openStream({ 'content-type': 'text/event-stream' });
      if (streams.push(connection) === 2) opened.resolve();
      return reply;
    });
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const answers = [fetch(address), fetch(address)];
    await opened.promise;
    for (const piece of pieces) for (const stream of streams) stream.write(piece, () => undefined);
    for (const stream of streams) stream.endStream(Buffer.from('end'));
    const whole = Buffer.concat([...pieces, Buffer.from('end')]);
    for (const answer of answers) {
      const body = Buffer.from(await (await answer).arrayBuffer());
      expect(body.equals(whole)).toBe(true);
    }
    await server.close();
  });
});

describe('a client that reads slowly', () => {
  let server: FastifyInstance;
  let socket: Socket;
  let connection: ClientConnection;
  let raw: ServerResponse;
  beforeEach(async () => {
    server = fastify();
    const opened = new Promise<void>((resolve) => {
      server.get('/', (_request, reply) => {
        connection = new ClientConnection(reply, false);
        connection.openStream({ 'content-type': 'text/event-stream' });
        raw = reply.raw;
        resolve();
        return reply;
      });
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await opened;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    socket.destroy();
    await server.close();
  });

  it('T27: is waited for once, whatever is written meanwhile, and keeps its stream when it has read on', async () => {
    const drained = new Promise<void>((resolve) => {
      expect(connection.write(MUCH, () => undefined)).toBe(false);
      expect(connection.write(MUCH, resolve)).toBe(false);
    });
    expect(vi.getTimerCount()).toBe(1);
    socket.resume();
    await drained;
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2 * STALLED_MS);
    expect(raw.destroyed).toBe(false);
  });

  it('is cut off after a minute in which it has read nothing', async () => {
    expect(connection.write(MUCH, () => undefined)).toBe(false);
    vi.advanceTimersByTime(STALLED_MS - 1);
    connection.write(MUCH, () => undefined);
    expect(raw.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(raw.destroyed).toBe(true);
  });

  it('T27: is cut off as well when the stream has ended and its rest waits', async () => {
    const { socket: serverSocket } = raw;
    connection.endStream(MUCH);
    expect(serverSocket?.timeout).toBe(STALLED_MS);
    serverSocket?.emit('timeout');
    await once(socket.resume(), 'close');
  });
});
