import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FileMarks, findCodec, findUpstreamProtocol } from '@mg/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inlineMedia, listUrlsToFetch } from './inline-media.js';

const OPEN = { enabled: true, allowPrivate: true };
const pause = () => Promise.resolve();
const PDF = Buffer.from('%PDF-1.7 of a test');
/** No model reads so much. */
const LONG = Buffer.alloc(8 * 1024 * 1024 + 1, 'a,b');
const LARGE = Buffer.alloc(8 * 1024 * 1024, '%PDF-1.7 of megabytes');

let server: Server;
let url: string;
/** Whether the whole of a file has left the server. */
let isSent = false;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/missing') response.writeHead(404).end();
    else if (request.url === '/plain.pdf')
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(PDF);
    else if (request.url === '/text') response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b');
    else if (request.url === '/long') response.writeHead(200, { 'content-type': 'text/csv' }).end(LONG);
    else {
      const file = request.url === '/large' ? LARGE : PDF;
      response.once('finish', () => (isSent = true));
      response.writeHead(200, { 'content-type': 'application/PDF; q=1' }).end(file);
    }
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
    const marks = new FileMarks();
    const inlined = await inlineMedia(request, [url + path], { fetching: OPEN, marks });
    const written = await marks.put(Buffer.from(JSON.stringify(inlined.turns[0]?.blocks.slice(0, 2))), pause);
    expect(JSON.parse(written.toString())).toMatchObject([
      {
        type: 'media',
        source: { type: 'bytes', mediaType: 'application/pdf', base64: PDF.toString('base64') },
      },
      { type: 'media', source: { type: 'url' } },
    ]);
  });

  it('M5: become base64 in steps, however large they are', async () => {
    const request = ask(`${url}/large`);
    let turns = 0;
    let timer: NodeJS.Immediate | undefined;
    const count = () => {
      if (isSent) turns++;
      timer = setImmediate(count);
    };
    count();
    const marks = new FileMarks();
    const inlined = await inlineMedia(request, [`${url}/large`], { fetching: OPEN, marks });
    clearImmediate(timer);
    // What is left to be read of it takes some turns, too.
    expect(turns).toBeGreaterThan(25);
    const written = await marks.put(Buffer.from(JSON.stringify(inlined)), pause);
    expect(written.includes(`"${LARGE.toString('base64')}"`)).toBe(true);
  });

  it('are texts where they are of such a type, of a length that a model can read', async () => {
    const [text, tooLong] = [`${url}/text`, `${url}/long`];
    const inlining = { fetching: OPEN, marks: new FileMarks() };
    const inlined = await inlineMedia(ask(text), [text], inlining);
    expect(inlined.turns[0]?.blocks[0]).toMatchObject({
      source: { type: 'bytes', mediaType: 'text/csv', base64: Buffer.from('a,b').toString('base64') },
    });
    await expect(inlineMedia(ask(tooLong), [tooLong], inlining)).rejects.toMatchObject({
      param: 'messages[0].content[0].source.url',
      message: expect.stringContaining('leads to a text of more than 8388608 bytes') as string,
    });
  });

  it.each([
    ['/missing', OPEN, 'status 404'],
    ['/typed', { ...OPEN, allowPrivate: false }, 'https://'],
  ])('are refused when %s cannot be had', async (path, fetching, reason) => {
    const inlining = { fetching, marks: new FileMarks() };
    await expect(inlineMedia(ask(url + path), [url + path], inlining)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'messages[0].content[0].source.url',
      message: expect.stringContaining(reason) as string,
    });
  });
});
