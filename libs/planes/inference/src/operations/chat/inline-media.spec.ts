import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findCodec, findUpstreamProtocol } from '@mg/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inlineMedia, listUrlsToFetch } from './inline-media.js';

const OPEN = { enabled: true, allowPrivate: true };
const PDF = Buffer.from('%PDF-1.7 of a test');

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/missing') response.writeHead(404).end();
    else if (request.url === '/plain.pdf')
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(PDF);
    else response.writeHead(200, { 'content-type': 'application/PDF; q=1' }).end(PDF);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function ask(document: string, image = 'https://example.com/a.png') {
  const content = [
    { type: 'document', source: { type: 'url', url: document } },
    { type: 'image', source: { type: 'url', url: image } },
    { type: 'text', text: 'What is this?' },
  ];
  return findCodec('anthropic-messages').decodeRequest(
    { max_tokens: 5, messages: [{ role: 'user', content }] },
    'm',
    false,
  );
}

describe('media by URL', () => {
  it('are fetched where a channel takes only bytes', () => {
    const request = ask(`${url}/a.pdf`);
    expect(listUrlsToFetch(request, findUpstreamProtocol('openai-chat'), {})).toEqual([`${url}/a.pdf`]);
    expect(listUrlsToFetch(request, findUpstreamProtocol('bedrock-converse'), {})).toEqual([
      `${url}/a.pdf`,
      'https://example.com/a.png',
    ]);
    expect(listUrlsToFetch(request, findUpstreamProtocol('gemini-generate'), {})).toEqual([]);
    expect(
      listUrlsToFetch(request, findUpstreamProtocol('anthropic-messages'), { supportsMediaUrls: false }),
    ).toHaveLength(2);
  });

  it.each(['/typed', '/plain.pdf'])('come as bytes of their type from %s', async (path) => {
    const request = ask(url + path);
    const inlined = await inlineMedia(request, [url + path], OPEN);
    expect(inlined.turns[0]?.blocks.slice(0, 2)).toMatchObject([
      {
        type: 'media',
        source: { type: 'bytes', mediaType: 'application/pdf', base64: PDF.toString('base64') },
      },
      { type: 'media', source: { type: 'url' } },
    ]);
  });

  it.each([
    ['/missing', OPEN, 'status 404'],
    ['/typed', { ...OPEN, allowPrivate: false }, 'https://'],
  ])('are refused when %s cannot be had', async (path, fetching, reason) => {
    await expect(inlineMedia(ask(url + path), [url + path], fetching)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'messages[0].content[0].source.url',
      message: expect.stringContaining(reason) as string,
    });
  });
});
