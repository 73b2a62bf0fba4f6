import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { JobHttp } from './job-http.js';

const LONG = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 30_000 } as const;
const TIMEOUTS = { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 2_000 } as const;

describe('JobHttp', () => {
  const http = new JobHttp('0123456789abcdef');
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function serve(listener: RequestListener): Promise<URL> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  it('gives back an answer of any status', async () => {
    const url = await serve((request, response) => {
      response.writeHead(402, { 'retry-after': '3' }).end(`{"method":"${request.method}"}`);
    });
    const answer = await http.send({ method: 'DELETE', url, headers: {} }, TIMEOUTS);
    expect(answer).toMatchObject({
      status: 402,
      headers: { 'retry-after': '3' },
      json: { method: 'DELETE' },
    });
  });

  it('C1: writes and reads megabytes in steps', async () => {
    const pictures = { list: [{ bytes: 'picture '.repeat(1024 * 1024) }], number: 1 };
    let isAnswered = false;
    const url = await serve((request, response) => {
      response.once('finish', () => (isAnswered = true));
      void pipeline(request, response);
    });
    let turns = 0;
    const count = () => {
      if (isAnswered) turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const answer = await http.send({ method: 'POST', url, headers: {}, body: pictures }, LONG);
    clearImmediate(timer);
    expect(JSON.stringify(answer.json) === JSON.stringify(pictures)).toBe(true);
    // What is left to be read of it takes some turns, too.
    expect(turns).toBeGreaterThan(25);
    expect(answer.text.startsWith('{"list":[{"bytes":"picture ')).toBe(true);
  });

  it('calls nothing unreachable that may have been sent', async () => {
    const unreachable = { method: 'POST', url: new URL('http://127.0.0.1:1/'), headers: {} } as const;
    await expect(http.send(unreachable, TIMEOUTS)).rejects.toMatchObject({ kind: 'unreachable' });
    const url = await serve((request) => request.socket.resetAndDestroy());
    await expect(http.send({ ...unreachable, url }, TIMEOUTS)).rejects.toMatchObject({ kind: 'broken' });
    const silent = await serve(() => undefined);
    const asked = http.send({ ...unreachable, url: silent }, { ...TIMEOUTS, totalMs: 50 });
    await expect(asked).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('keeps no connection, so that no submit meets one that was closed meanwhile', async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    for (let count = 0; count < 3; count++) await http.send({ method: 'GET', url, headers: {} }, TIMEOUTS);
    expect(sockets.size).toBe(3);
  });

  it('follows a result to another server without the credential', async () => {
    const storage = await serve((request, response) => {
      const { authorization = 'none', range = 'none' } = request.headers;
      response.end(`authorization ${authorization}, range ${range}`);
    });
    const url = await serve((_, response) => response.writeHead(302, { location: storage.href }).end());
    const headers = { authorization: 'Bearer canary', range: 'bytes=0-1' };
    const file = await http.open({ method: 'GET', url, headers }, TIMEOUTS, false);
    expect(await text(file.body)).toBe('authorization none, range bytes=0-1');
  });

  it('goes to public addresses only where an upstream gave the address', async () => {
    const url = await serve((_, response) => response.end('secret'));
    const opened = http.open({ method: 'GET', url, headers: {} }, TIMEOUTS, true);
    await expect(opened).rejects.toMatchObject({ message: 'the result stands at no public address' });
  });
});
