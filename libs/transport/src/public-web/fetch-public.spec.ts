import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchPublic, type PublicFetch } from './fetch-public.js';

const LIMITS = { maxBytes: 1_000, timeoutMs: 2_000 } as const;
const OPEN: PublicFetch = { ...LIMITS, allowPrivate: true };

describe('fetchPublic', () => {
  let server: Server | undefined;

  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });

  async function serve(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each([
    ['http://example.com/a.png', 'https://'],
    ['ftp://example.com/a.png', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['nonsense', 'not a URL'],
    [`https://${'a@'.repeat(8 * 1024)}`, 'at most 16384 characters'],
    ['https://user:secret@example.com/', 'password'],
    ['https://127.0.0.1/', 'no public address'],
    ['https://2130706433/', 'no public address'],
    ['https://0x7f.1/', 'no public address'],
    ['https://169.254.169.254/latest/meta-data', 'no public address'],
    ['https://[::1]/', 'no public address'],
    ['https://[::ffff:10.0.0.1]/', 'no public address'],
    ['https://localhost/', 'no public address'],
    ['https://no-such-host.invalid/', 'no public address'],
  ])('refuses %s', async (url, reason) => {
    const message = expect.stringContaining(reason) as string;
    await expect(fetchPublic(url, LIMITS)).rejects.toMatchObject({ kind: 'refused', message });
  });

  it('gives back an answer of any status', async () => {
    const url = await serve((_, response) => response.writeHead(404, { 'x-seen': 'yes' }).end('none'));
    const reply = await fetchPublic(`${url}/a`, OPEN);
    expect(reply).toMatchObject({ status: 404, headers: { 'x-seen': 'yes' }, url: `${url}/a` });
    expect(reply.body.toString()).toBe('none');
  });

  it('posts a body, and follows no redirect with it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/moved') response.writeHead(307, { location: '/elsewhere' }).end();
      else request.pipe(response.writeHead(200, { 'x-method': request.method }));
    });
    const post = { ...OPEN, method: 'POST', body: Buffer.from('hello') } as const;
    const echoed = await fetchPublic(url, post);
    expect(echoed.headers['x-method']).toBe('POST');
    expect(echoed.body.toString()).toBe('hello');
    expect((await fetchPublic(`${url}/moved`, post)).status).toBe(307);
  });

  it('follows redirects, and not for ever', async () => {
    const url = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end('here');
    });
    expect(await fetchPublic(`${url}/3`, OPEN)).toMatchObject({ status: 200, url: `${url}/0` });
    await expect(fetchPublic(`${url}/4`, OPEN)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('checks where a redirect leads', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: 'file:///etc' }).end());
    await expect(fetchPublic(url, OPEN)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('reads no more than it may, announced or not', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/declared') response.writeHead(200, { 'content-length': '1001' });
      response.end('x'.repeat(1_001));
    });
    await expect(fetchPublic(`${url}/declared`, OPEN)).rejects.toMatchObject({ kind: 'too-large' });
    await expect(fetchPublic(`${url}/undeclared`, OPEN)).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('waits no longer than it may', async () => {
    const url = await serve((_, response) => void response.write('half'));
    await expect(fetchPublic(url, { ...OPEN, timeoutMs: 100 })).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('names no address when nobody answers', async () => {
    await expect(fetchPublic('http://127.0.0.1:1/', OPEN)).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'cannot be reached',
    });
  });
});
