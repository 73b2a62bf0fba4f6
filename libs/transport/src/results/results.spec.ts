import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type FakeS3, startFakeS3 } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
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
  let s3: FakeS3;
  let http: JobHttp;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'results-'));
    http = new JobHttp('0123456789abcdef');
    s3 = await startFakeS3();
  });

  afterEach(async () => {
    await http.close();
    await s3.close();
    await rm(directory, { recursive: true });
  });

  const open = (kind: string): ResultStore =>
    kind === 'disk'
      ? new DiskResults(directory)
      : new S3Results(
          {
            endpoint: `${s3.url}/`,
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
    const { headers } = s3.requests.at(-1) ?? {};
    expect(headers?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/s3\//);
    expect(headers?.['x-amz-content-sha256']).toBe('UNSIGNED-PAYLOAD');
  });

  it.each(['disk', 's3'])('on %s deletes one file, and does not mind that it is gone', async (kind) => {
    const store = open(kind);
    for (const name of ['file_0001.sealed', 'file_0101.sealed'])
      await store.keep(name, 'text/plain', Readable.from([VIDEO]), undefined);
    await store.remove('file_0001.sealed');
    await store.remove('file_0001.sealed');
    expect((await readAll(await store.open('file_0001.sealed', {}))).status).toBe(404);
    expect((await readAll(await store.open('file_0101.sealed', {}))).text).toBe('0123456789');
  });

  it('on disk deletes with a file what a lost writer has left of it', async () => {
    const store = open('disk');
    await store.keep('file_0001.sealed', 'text/plain', Readable.from([VIDEO]), undefined);
    await writeFile(join(directory, '01', 'file_0001.sealed.0190c2a4.part'), '01');
    await store.remove('file_0001.sealed');
    expect(await readdir(join(directory, '01'))).toEqual([]);
  });

  describe('on S3, given a file of unknown length,', () => {
    const NAME = 'file_0190c2a4.sealed';
    const PIECE = Buffer.alloc(1024 * 1024, 'a');
    const keep = (pieces: number, last?: () => never) =>
      open('s3').keep(
        NAME,
        'application/octet-stream',
        Readable.from(
          (async function* read() {
            for (let at = 0; at < pieces; at++) yield PIECE;
            last?.();
          })(),
        ),
        undefined,
      );
    const methods = () => s3.requests.map(({ method }) => method);
    /** Has so many milliseconds be over when it is said, and no other time pass. */
    const passTime = (passedMs: number) => {
      const passed = new AbortController();
      const timeouts = vi
        .spyOn(AbortSignal, 'timeout')
        .mockImplementation((ms) => (ms === passedMs ? passed : new AbortController()).signal);
      onTestFinished(() => timeouts.mockRestore());
      return passed;
    };

    it('sends a small one at once', async () => {
      await keep(1);
      expect(methods()).toEqual(['PUT']);
      expect(s3.objects.get(`/videos/${NAME}`)?.length).toBe(PIECE.length);
    });

    it('sends a large one in parts, each signed, and leaves no upload', async () => {
      await keep(17);
      expect(methods()).toEqual(['POST', 'PUT', 'PUT', 'PUT', 'POST']);
      expect(s3.requests.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
      const kept = await buffer((await open('s3').open(NAME, {})).body);
      expect(kept.equals(Buffer.concat(Array<Buffer>(17).fill(PIECE)))).toBe(true);
      expect(s3.uploads.size).toBe(0);
    });

    it('keeps nothing of one that broke off, or that S3 did not complete', async () => {
      const cut = () => {
        throw new Error('cut');
      };
      await expect(keep(9, cut)).rejects.toThrow('cut');
      s3.failsLate = true;
      await expect(keep(9)).rejects.toThrow('S3 did not complete the upload');
      expect([s3.uploads.size, s3.objects.size]).toEqual([0, 0]);
    });

    it('waits a minute for an answer to a small one', async () => {
      s3.isHung = true;
      const passed = passTime(60_000);
      const kept = keep(1).catch((error: unknown) => error);
      await vi.waitFor(() => expect(methods()).toEqual(['PUT']));
      passed.abort(new Error('a minute is over'));
      expect(await kept).toEqual(new Error('a minute is over'));
    });

    it('ends one that takes too long in all, and its upload', async () => {
      const passed = passTime(15 * 60_000);
      const stalled = new PassThrough();
      for (let at = 0; at < 9; at++) stalled.write(PIECE);
      const kept = open('s3').keep(NAME, 'text/plain', stalled, undefined);
      kept.catch(() => undefined);
      await vi.waitFor(() => expect(methods()).toEqual(['POST', 'PUT']));
      passed.abort();
      await expect(kept).rejects.toThrow('aborted');
      expect(s3.uploads.size).toBe(0);
    });

    it('says so when it is away', async () => {
      s3.failsWith = 503;
      for (const pieces of [1, 9]) await expect(keep(pieces)).rejects.toThrow('S3 answered with status 503');
      await expect(open('s3').remove(NAME)).rejects.toThrow('S3 answered with status 503');
    });
  });
});
