import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpUpstream } from './http-upstream.js';
import type { UpstreamCall, UpstreamFailure, UpstreamReply, UpstreamTimeouts } from './upstream-call.js';

/** Longer than a busy machine takes over an answer; tests of what is given up set their own. */
const TIMEOUTS: UpstreamTimeouts = {
  connectMs: 30_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
};

describe('HttpUpstream', () => {
  const upstream = new HttpUpstream('0123456789abcdef');
  let server: Server | undefined;

  afterEach(async () => {
    await upstream.close();
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });

  async function serve(
    listener: RequestListener,
    timeouts: Partial<UpstreamTimeouts> = {},
    streamed = true,
  ): Promise<UpstreamCall> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return call(`http://127.0.0.1:${port}/v1/x?y=1`, timeouts, streamed);
  }

  function call(url: string, timeouts: Partial<UpstreamTimeouts> = {}, streamed = true): UpstreamCall {
    return upstream.call({
      url: new URL(url),
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"a":1}'),
      streamed,
      timeouts: { ...TIMEOUTS, ...timeouts },
    });
  }

  it('delivers status, headers and body', async () => {
    const running = await serve((request, response) => {
      request.pipe(response.writeHead(201, { 'x-path': request.url ?? '' }));
    });
    const reply = await running.reply;
    expect(reply.status).toBe(201);
    expect(reply.headers['x-path']).toBe('/v1/x?y=1');
    expect(await readAll(reply)).toBe('{"a":1}');
  });

  it('tells a refused connection from everything else', async () => {
    await expect(call('http://127.0.0.1:1/').reply).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(call('http://no-such-host.invalid/').reply).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('gives up when no head comes in time', async () => {
    const running = await serve(() => {}, { firstByteMs: 300 });
    await expect(running.reply).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('gives up when the body stops half way', async () => {
    const running = await serve((_request, response) => void response.write('half'), { idleMs: 300 });
    const reply = await running.reply;
    reply.markBegun();
    await expect(readAll(reply)).rejects.toMatchObject({ kind: 'timeout' });
  });

  describe('clients 2: a whole answer', () => {
    const lateHead = { firstByteMs: 50, idleMs: 50 };

    it('may take longer than first_byte for its head, and longer than idle for its body', async () => {
      const running = await serve(
        (_request, response) => {
          setTimeout(() => {
            response.write('late ');
            setTimeout(() => response.end('and slow'), 150);
          }, 150);
        },
        lateHead,
        false,
      );
      expect(await readAll(await running.reply)).toBe('late and slow');
    });

    it('is bounded by total, before its head and within its body', async () => {
      const silent = await serve(() => {}, { ...lateHead, totalMs: 100 }, false);
      await expect(silent.reply).rejects.toMatchObject({
        kind: 'timeout',
        message: 'no whole answer within 100 ms',
      });
      server?.closeAllConnections();
      const half = await serve((_, response) => void response.write('half'), { totalMs: 200 }, false);
      await expect(readAll(await half.reply)).rejects.toMatchObject({ kind: 'timeout' });
    });

    it('that is an error is read no longer than idle', async () => {
      const running = await serve(
        (_request, response) => void response.writeHead(500).write('half'),
        lateHead,
        false,
      );
      await expect(readAll(await running.reply)).rejects.toMatchObject({ kind: 'timeout' });
    });
  });

  describe('clients 2: a stream', () => {
    it('has first_byte until its first event, whatever keeps its connection alive', async () => {
      const running = await serve(
        (_request, response) => {
          const timer = setInterval(() => response.write(': alive\n\n'), 20);
          response.on('close', () => clearInterval(timer));
        },
        { firstByteMs: 200, idleMs: 60 },
      );
      await expect(readAll(await running.reply)).rejects.toMatchObject({
        kind: 'timeout',
        message: 'no event of its stream came within 200 ms',
      });
    });

    it('has idle once it has begun, and all the time while nobody reads it', async () => {
      const running = await serve((_request, response) => void response.write('data: 1\n\n'), {
        idleMs: 50,
      });
      const reply = await running.reply;
      reply.markBegun();
      reply.pause();
      await new Promise((resolve) => setTimeout(resolve, 150));
      reply.resume();
      await expect(readAll(reply)).rejects.toMatchObject({ message: 'nothing came for 50 ms' });
    });
  });

  it('gives up when the whole takes too long', async () => {
    const running = await serve(
      (_request, response) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      },
      { totalMs: 200 },
    );
    await expect(readAll(await running.reply)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('tells a stream that was still coming by then from one that never began', async () => {
    const listener: RequestListener = (_request, response) => {
      response.write('data: 1\n\n');
      const timer = setInterval(() => response.write('data: 2\n\n'), 20);
      response.on('close', () => clearInterval(timer));
    };
    const reply = await (await serve(listener, { totalMs: 300 })).reply;
    reply.markBegun();
    await expect(readAll(reply)).rejects.toMatchObject({ kind: 'deadline' });
  });

  it('reports a reset connection as broken', async () => {
    const running = await serve((request) => request.socket.destroy());
    await expect(running.reply).rejects.toMatchObject({ kind: 'broken' });
  });

  it('closes the connection when aborted, before and after the head', async () => {
    const closed = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const running = await serve((request) => {
      request.socket.on('close', () => closed.resolve());
      started.resolve();
    });
    await started.promise;
    running.abort();
    await expect(running.reply).rejects.toMatchObject({ kind: 'aborted' });
    await closed.promise;
  });

  it('keeps chunks for a reader that comes late, and one that takes over', async () => {
    const running = await serve((_request, response) => {
      response.write('a');
      setImmediate(() => response.end('b'));
    });
    const reply = await running.reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await readAll(reply)).toBe('ab');
  });
});

function readAll(reply: UpstreamReply): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    reply.read({
      data: (chunk) => {
        text += chunk.toString();
      },
      end: () => resolve(text),
      fail: (failure: UpstreamFailure) => reject(failure),
    });
  });
}
