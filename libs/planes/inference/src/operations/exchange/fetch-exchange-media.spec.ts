import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readImageEdit } from '@mg/protocols';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchExchangeMedia } from './fetch-exchange-media.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const ON = { enabled: true, allowPrivate: true };

let server: Server;
let url: string;
let fetched = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    fetched += 1;
    if (request.url === '/missing') response.statusCode = 404;
    response.end(request.url === '/text' ? 'no image' : PNG);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

const edit = (path: string) =>
  readImageEdit(
    Buffer.from(JSON.stringify({ model: 'm', prompt: 'p', images: [{ image_url: `${url}${path}` }] })),
  );
const target = {
  protocol: 'gemini-images',
  model: 'm',
  channelType: 'gemini',
  traits: {},
  dropped: { add: () => undefined },
} as const;

it('brings the bytes of an image to a channel that takes nothing else', async () => {
  const [body] = (await fetchExchangeMedia(edit('/a.png'), 'gemini-images', ON)).prepare(target).bodies;
  expect(body?.bytes.toString()).toContain(PNG.toString('base64'));
});

it('leaves addresses to channels that fetch by themselves', async () => {
  const before = fetched;
  const exchange = edit('/a.png');
  expect(await fetchExchangeMedia(exchange, 'openai-images', ON)).toBe(exchange);
  expect(fetched).toBe(before);
});

it('is refused when switched off, by name', async () => {
  const exchange = await fetchExchangeMedia(edit('/a.png'), 'gemini-images', { ...ON, enabled: false });
  expect(() => exchange.prepare(target)).toThrow(expect.objectContaining({ param: 'images[0]' }));
});

it.each([
  ['/missing', 'images'],
  ['/text', 'images[0].image_url'],
])('refuses what is no image: %s', async (path, param) => {
  await expect(fetchExchangeMedia(edit(path), 'gemini-images', ON)).rejects.toMatchObject({
    code: 'invalid_request',
    param,
  });
});

it('does not reach into the private network for strangers', async () => {
  const before = fetched;
  await expect(
    fetchExchangeMedia(edit('/a.png'), 'gemini-images', { ...ON, allowPrivate: false }),
  ).rejects.toMatchObject({ code: 'invalid_request', param: 'images' });
  expect(fetched).toBe(before);
});
