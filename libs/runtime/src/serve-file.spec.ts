import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { sendFile } from './serve-file.js';

it('a file whose reader takes nothing any more is closed', async () => {
  const file = new Readable({ read: () => void file.push(Buffer.alloc(64 * 1024)) });
  const server = fastify();
  let socket: Socket | undefined;
  server.get('/', (request, reply) => {
    ({ socket } = request.raw);
    return sendFile({ status: 200, headers: { 'content-type': 'video/mp4' }, body: file }, reply);
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as { port: number };
  const reader = connect(port, '127.0.0.1').pause();
  reader.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => socket?.writableNeedDrain).toBe(true);
  expect(socket?.timeout).toBe(60_000);
  const closed = once(file, 'close');
  socket?.emit('timeout');
  await closed;
  reader.destroy();
  await server.close();
});
