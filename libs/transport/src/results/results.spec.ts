import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JobHttp, type OpenedFile } from '../jobs/job-http.js';
import { DiskResults } from './disk-results.js';
import { readRange } from './read-range.js';
import type { ResultStore } from './result-store.js';
import { S3Results } from './s3-results.js';
import { serveBytes } from './serve-bytes.js';

const VIDEO = Buffer.from('0123456789');

describe('readRange', () => {
  it.each([
    ['bytes=0-3', { first: 0, last: 3 }],
    ['bytes=4-', { first: 4, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-30', { first: 0, last: 9 }],
    ['bytes=8-99', { first: 8, last: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=0-1,4-5', undefined],
    ['pages=1-2', undefined],
    [undefined, undefined],
  ])('reads %s', (range, expected) => {
    expect(readRange({ range }, 10, '"a"')).toEqual(expected);
  });

  it('sends everything when the file is another one than the client began', () => {
    expect(readRange({ range: 'bytes=0-3', ifRange: '"b"' }, 10, '"a"')).toBeUndefined();
    expect(readRange({ range: 'bytes=0-3', ifRange: '"a"' }, 10, '"a"')).toEqual({ first: 0, last: 3 });
  });
});

async function readAll({ status, headers, body }: OpenedFile) {
  return { status, headers, text: (await buffer(body)).toString() };
}

describe('serveBytes', () => {
  it('says how much there is when nothing of it was asked for', async () => {
    const answer = await readAll(serveBytes(VIDEO, 'video/mp4', '"a"', { range: 'bytes=50-' }));
    expect(answer).toMatchObject({ status: 416, text: '', headers: { 'content-range': 'bytes */10' } });
  });
});

describe('a result store', () => {
  let directory: string;
  let server: Server;
  let http: JobHttp;
  const kept = new Map<string, Buffer>();
  const seen: { authorization: string | undefined; sha: string | undefined }[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'results-'));
    http = new JobHttp('0123456789abcdef');
    kept.clear();
    server = createServer((request, response) => {
      void (async () => {
        const { method, url = '', headers } = request;
        seen.push({ authorization: headers.authorization, sha: String(headers['x-amz-content-sha256']) });
        if (method === 'PUT') {
          kept.set(url, await buffer(request));
          response.end();
          return;
        }
        const bytes = kept.get(url);
        if (!bytes) return void response.writeHead(404).end();
        const file = serveBytes(bytes, 'video/mp4', `"${createHash('md5').update(bytes).digest('hex')}"`, {
          range: headers.range,
        });
        response.writeHead(file.status, file.headers);
        file.body.pipe(response);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true });
  });

  const open = (kind: string): ResultStore =>
    kind === 'disk'
      ? new DiskResults(directory)
      : new S3Results(
          {
            endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
            region: 'eu-central-1',
            bucket: 'videos',
            accessKeyId: 'AKID',
            secretAccessKey: 'canary-secret',
          },
          http,
        );

  it.each(['disk', 's3'])('on %s gives back what it was given, in parts too', async (kind) => {
    const store = open(kind);
    await store.keep('0190c2a4-0000.mp4', 'video/mp4', Readable.from([VIDEO]), 10);
    const whole = await readAll(await store.open('0190c2a4-0000.mp4', {}));
    expect(whole).toMatchObject({ status: 200, text: '0123456789' });
    const etag = String(whole.headers.etag);
    const part = await readAll(await store.open('0190c2a4-0000.mp4', { range: 'bytes=2-4' }));
    expect(part).toMatchObject({ status: 206, text: '234', headers: { 'content-range': 'bytes 2-4/10' } });
    expect(part.headers.etag).toBe(etag);
    expect((await readAll(await store.open('none-here.mp4', {}))).status).toBe(404);
  });

  it('on disk keeps nothing of a file that broke off', async () => {
    const store = open('disk');
    const broken = Readable.from(
      (async function* cutOff() {
        yield '01';
        throw new Error('cut');
      })(),
    );
    await expect(store.keep('0190c2a4-0001.mp4', 'video/mp4', broken, 10)).rejects.toThrow('cut');
    await expect(store.keep('0190c2a4-0001.mp4', 'video/mp4', Readable.from(['0123']), 10)).rejects.toThrow(
      '4 of 10 bytes came',
    );
    expect((await store.open('0190c2a4-0001.mp4', {})).status).toBe(404);
    expect((await readdir(directory, { recursive: true })).filter((name) => name.includes('.'))).toEqual([]);
    await expect(store.open('../secrets/key.mp4', {})).rejects.toThrow('no name of a result');
  });

  it('on disk deletes what is old and has the prefix, and nothing else', async () => {
    const store = open('disk');
    const names = ['img_0001.png', 'img_0002.png', '0190c2a4-0001.mp4'];
    for (const name of names) await store.keep(name, 'image/png', Readable.from(['0']), 1);
    const old = new Date(Date.now() - 60_000);
    for (const name of ['img_0001.png', '0190c2a4-0001.mp4'])
      await utimes(join(directory, '01', name), old, old);
    await store.expire?.('img_', 30_000);
    const left = await Promise.all(
      names.map(async (name) => (await readAll(await store.open(name, {}))).status),
    );
    expect(left).toEqual([404, 200, 200]);
  });

  it('on S3 signs without reading the whole file first', async () => {
    await open('s3').keep('0190c2a4-0000.mp4', 'video/mp4', Readable.from([VIDEO]), 10);
    expect(seen.at(-1)?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/s3\//,
    );
    expect(seen.at(-1)?.sha).toBe('UNSIGNED-PAYLOAD');
  });
});
