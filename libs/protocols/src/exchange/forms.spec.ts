import { describe, expect, it, vi } from 'vitest';
import type { FormPart } from './exchange.js';
import { renameModel } from './rename-model.js';
import { splitForm } from './split-form.js';
import { gatherBytes, type StoredFile } from './stored-bytes.js';
import { writeForm } from './write-form.js';
import { toBase64Text, toStandardText, writeJson, writeJsonWithFiles } from './write-json.js';

const parts: FormPart[] = [
  { name: 'model', bytes: Buffer.from('slug') },
  {
    name: 'image[]',
    filename: 'a.png',
    contentType: 'image/png',
    bytes: Buffer.from([0, 13, 10, 45, 45, 255]),
  },
  { name: 'prompt', bytes: Buffer.from('über\r\n--all') },
];

describe('forms', () => {
  it('are written so that another parser reads the same', async () => {
    const { contentType, bytes } = writeForm(parts);
    const form = await new Response(new Uint8Array(await gatherBytes(bytes)), {
      headers: { 'content-type': contentType },
    }).formData();
    expect(form.get('prompt')).toBe('über\r\n--all');
    const file = form.get('image[]') as File;
    expect([file.name, file.type]).toEqual(['a.png', 'image/png']);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(parts[1]?.bytes);
  });

  it('come apart as they were put together', async () => {
    const { contentType, bytes } = writeForm(parts);
    expect(splitForm(contentType, await gatherBytes(bytes))).toEqual(parts);
    expect(splitForm('application/json', Buffer.from('{}'))).toEqual([]);
  });

  it('cannot be broken by names from outside', async () => {
    const odd: FormPart[] = [{ name: 'a"\r\nx: y', filename: '"; name="b', bytes: Buffer.from('1') }];
    const { contentType, bytes } = writeForm(odd);
    expect(splitForm(contentType, await gatherBytes(bytes))).toEqual([
      { name: 'a%22%0D%0Ax: y', filename: '%22; name=%22b', bytes: Buffer.from('1') },
    ]);
  });

  it('go on with the model renamed and nothing else', async () => {
    const { contentType, bytes } = renameModel({ kind: 'form', parts }, 'upstream');
    expect(splitForm(contentType, await gatherBytes(bytes))).toEqual([
      { name: 'model', bytes: Buffer.from('upstream') },
      ...parts.slice(1),
    ]);
  });

  it('carry files that lie outside memory, as often as they are asked for', async () => {
    const file = store(Buffer.from('0123456789abcdef'.repeat(40)), 7);
    const { contentType, bytes } = writeForm([...parts, { name: 'file', filename: 'long', bytes: file }]);
    for (const _ of [1, 2]) {
      const whole = await gatherBytes(bytes);
      expect(whole).toHaveLength(bytes.length);
      expect(splitForm(contentType, whole).at(-1)?.bytes.toString()).toBe('0123456789abcdef'.repeat(40));
    }
  });
});

describe('JSON with files', () => {
  it.each([0, 1, 2, 3, 100, 101])('holds %i bytes in base64 wherever they lie', async (length) => {
    const content = Buffer.alloc(length, 'sound');
    const write = (bytes: Buffer | StoredFile) =>
      writeJsonWithFiles({
        parts: [{ data: toBase64Text('', bytes) }, { url: toBase64Text('data:image/png;base64,', bytes) }],
        text: 'a "text"',
        nothing: undefined,
      });
    const streamed = write(store(content, 4)).bytes;
    const whole = await gatherBytes(streamed);
    expect(whole).toHaveLength(streamed.length);
    expect(whole).toEqual(await gatherBytes(write(content).bytes));
  });
});

describe('M5: a body of megabytes', () => {
  const LARGE = Buffer.alloc(3 * 1024 * 1024 + 1, 'sound');

  it('with files from memory becomes base64 while it is sent, piece by piece', async () => {
    const { bytes, writeInSlices } = writeJsonWithFiles({ text: 'of', data: toBase64Text('a:', LARGE) });
    const pieces: Buffer[] = [];
    if (!Buffer.isBuffer(bytes)) for await (const piece of bytes.read()) pieces.push(piece);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300 * 1024);
    const whole = Buffer.concat(pieces);
    expect(whole).toHaveLength(bytes.length);
    expect(JSON.parse(whole.toString())).toEqual({ text: 'of', data: `a:${LARGE.toString('base64')}` });
    const inSteps = await writeInSlices?.(async () => undefined);
    expect((await gatherBytes(inSteps ?? LARGE)).equals(whole)).toBe(true);
  });

  it('with files from memory has them encoded in turns of the event loop, one after another', async () => {
    const pause = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const files = Array.from({ length: 16 }, () => toBase64Text('', LARGE.subarray(0, 200 * 1024)));
    const written = await writeJsonWithFiles({ files }).writeInSlices?.(pause);
    const before = pause.mock.calls.length;
    const whole = JSON.parse((await gatherBytes(written ?? LARGE)).toString()) as { files: string[] };
    expect(new Set(whole.files)).toEqual(new Set([LARGE.toString('base64', 0, 200 * 1024)]));
    expect(pause.mock.calls.length - before).toBeGreaterThanOrEqual(2 * files.length);
  });

  it('with base64 that is not in its standard form is rewritten text after text', async () => {
    const pause = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const base64 = Buffer.alloc(140 * 1024, 0xfb).toString('base64url');
    const files = Array.from({ length: 16 }, () => toStandardText('', base64));
    const written = await writeJsonWithFiles({ files }).writeInSlices?.(pause);
    expect(pause.mock.calls.length).toBeGreaterThanOrEqual(files.length);
    const whole = JSON.parse((await gatherBytes(written ?? LARGE)).toString()) as { files: string[] };
    expect(new Set(whole.files)).toEqual(new Set([Buffer.alloc(140 * 1024, 0xfb).toString('base64')]));
  });

  it('with texts is written in steps, and the same', async () => {
    let pauses = 0;
    const { bytes, writeInSlices } = writeJson({ input: ['word '.repeat(600_000), 'b'], left: undefined });
    const inSteps = await writeInSlices?.(async () => void pauses++);
    expect(pauses).toBeGreaterThan(10);
    expect(await gatherBytes(inSteps ?? LARGE)).toEqual(bytes);
  });

  it('as a form is not copied', async () => {
    const { contentType, bytes } = writeForm([...parts, { name: 'file', filename: 'a', bytes: LARGE }]);
    expect(Buffer.isBuffer(bytes)).toBe(false);
    const whole = await gatherBytes(bytes);
    expect(whole).toHaveLength(bytes.length);
    expect(splitForm(contentType, whole).at(-1)?.bytes.equals(LARGE)).toBe(true);
  });
});

function store(content: Buffer, pieceBytes: number): StoredFile {
  return {
    length: content.length,
    head: content.subarray(0, 64),
    async *read() {
      for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
    },
  };
}
