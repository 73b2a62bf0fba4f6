import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalog, type Environment, parsePrice } from '@mg/contract';
import { createLogger } from '@mg/runtime';
import { createResultStore, JobHttp, type ResultStore } from '@mg/transport';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImageLinks } from '../../images/image-links.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const ENVIRONMENT = { ENCRYPTION_KEY: 'k'.repeat(32) };
const silent = createLogger({ plane: 'test', level: 'silent' });

let upstream: Server;
let directory: string;
let gateway: SmallGateway | undefined;
beforeAll(async () => {
  const body = JSON.stringify({ created: 1, data: [{ b64_json: PNG.toString('base64') }] });
  upstream = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'images-'));
});
afterEach(async () => {
  await gateway?.close();
  await rm(directory, { recursive: true });
});
afterAll(() => {
  upstream.close();
});

function openStore(): ResultStore {
  const environment = { RESULT_STORE: 'disk', DATA_DIR: directory } as Environment;
  const store = createResultStore(environment, new JobHttp('i'));
  if (!store) throw new Error('there is no store');
  return store;
}

/** @param keptWithinMs what the store may take: by default what a busy machine needs. */
async function draw(body: object, store?: ResultStore, keptWithinMs = 60_000) {
  const started = await start(store, keptWithinMs);
  return readFirst(await started.post('/v1/images/generations', { model: 'm', prompt: 'a fox', ...body }));
}

/** Has an image edited, as the official SDKs ask for it: by a form. */
async function edit(fields: Readonly<Record<string, string>>, store?: ResultStore) {
  const started = await start(store, 60_000);
  const body = new FormData();
  for (const [name, value] of Object.entries({ model: 'm', prompt: 'a fox', ...fields }))
    body.set(name, value);
  body.set('image', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'fox.png');
  const headers = { authorization: `Bearer ${started.key}` };
  return readFirst(await fetch(`${started.url}/v1/images/edits`, { method: 'POST', headers, body }));
}

async function readFirst(answer: Response): Promise<{ url?: string; b64_json?: string }> {
  const { data } = (await answer.json()) as { data: { url?: string; b64_json?: string }[] };
  return data[0] ?? {};
}

async function start(store: ResultStore | undefined, keptWithinMs: number): Promise<SmallGateway> {
  const prices = [{ versionId: 'p', effectiveFrom: 0, price: parsePrice({ per_image: '0.01' }) }];
  const model = { slug: 'm', kind: 'image', createdAt: 0, prices };
  const started = await startSmallGateway('images', {
    catalog: () =>
      ({
        version: 1,
        channelsBySlug: new Map([['m', started.channels]]),
        models: new Map([['m', model]]),
      }) as unknown as Catalog,
    images: store && new ImageLinks(store, ENVIRONMENT, silent, keptWithinMs),
  });
  gateway = started;
  const { port } = upstream.address() as AddressInfo;
  started.channels = [makeChannel('c', { baseUrl: `http://127.0.0.1:${port}` })];
  return started;
}

describe('an image that is wanted by address', () => {
  it('has a link to the result store, which serves it with its type and in ranges', async () => {
    const { url = '', b64_json } = await draw({ response_format: 'url' }, openStore());
    expect(b64_json).toBeUndefined();
    expect(url).toMatch(
      new RegExp(`^${gateway?.url}/v1/images/content/img_[\\w-]+\\.png\\?expires=\\d+&sig=`),
    );
    const whole = await fetch(url);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(PNG);
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    expect(gateway?.log[0]).toMatchObject({ status: 200, cost: 10_000_000n });
  });

  it('that was edited has such a link, too', async () => {
    const { url = '', b64_json } = await edit({ response_format: 'url' }, openStore());
    expect(b64_json).toBeUndefined();
    const whole = await fetch(url);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(PNG);
  });

  it('T25: reaches the store in pieces, however large it is', async () => {
    const image = Buffer.alloc(3 * 1024 * 1024, 'pixels');
    const pieces: Buffer[] = [];
    const store = openStore();
    const watched: ResultStore = Object.assign(Object.create(store) as ResultStore, {
      keep: async (...[, , body, size]: Parameters<ResultStore['keep']>) => {
        for await (const piece of body) pieces.push(piece as Buffer);
        expect(size).toBe(image.length);
      },
    });
    const images = new ImageLinks(watched, ENVIRONMENT, silent).open('http://127.0.0.1');
    images.nameAddress(image.toString('base64'), 'image/png');
    expect(await images.keep()).toBe(true);
    expect(Buffer.concat(pieces).equals(image)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(512 * 1024);
  });

  it('is given to nobody with another link', async () => {
    const { url = '' } = await draw({ response_format: 'url' }, openStore());
    const spoiled = [
      url.replace(/expires=\d+/, 'expires=99999999999'),
      url.replace(/sig=./, 'sig=~'),
      url.replace('img_', 'img_0'),
      url.slice(0, url.indexOf('?')),
    ];
    for (const link of spoiled) expect((await fetch(link)).status).toBe(403);
  });

  it('is a data: URL where nothing keeps results', async () => {
    const { url } = await draw({ response_format: 'url' });
    expect(url).toBe(`data:image/png;base64,${PNG.toString('base64')}`);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('The disk is full.'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])('is a data: URL where the store %s', async (_how, keep) => {
    const { url } = await draw({ response_format: 'url' }, { ...openStore(), keep }, 500);
    expect(url).toMatch(/^data:image\/png;base64,/);
  });

  it('comes in both forms where neither was asked for', async () => {
    const { url, b64_json } = await draw({}, openStore());
    expect(url).toContain('/v1/images/content/img_');
    expect(b64_json).toBe(PNG.toString('base64'));
  });

  it('is kept nowhere where bytes are asked for', async () => {
    expect(Object.keys(await draw({ response_format: 'b64_json' }, openStore()))).toEqual(['b64_json']);
    expect(await readdir(directory)).toEqual([]);
  });
});
