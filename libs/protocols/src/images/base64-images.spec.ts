import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { runAtOnce } from '../canonical/steps.js';
import type { Exchange } from '../exchange/exchange.js';
import { gatherBytes } from '../exchange/stored-bytes.js';
import { readGeminiImages } from './read-gemini-images.js';
import { readImageEdit, readImageGeneration } from './read-images.js';

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');
const MEBIBYTE = 1024 * 1024;

const editBase64 = (base64: string) =>
  readImageEdit(
    Buffer.from(
      JSON.stringify({
        model: 'm',
        prompt: 'p',
        images: [{ image_url: `data:image/png;base64,${base64}` }],
      }),
    ),
  );
const edit = (image: Buffer) => editBase64(image.toString('base64'));
type Case = readonly [Exchange, 'gemini-images' | 'openai-images', (body: Written) => string];
interface Written {
  readonly contents: readonly { parts: readonly { inlineData: { data: string } }[] }[];
  readonly images: readonly { image_url: string }[];
}
const refusal = (param: string, message: string) =>
  expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(message) });

const prepare = (exchange: Exchange, protocol: 'gemini-images' | 'openai-images') =>
  exchange.prepare({
    protocol,
    model: 'm',
    channelType: 'gemini',
    traits: {},
    dropped: { add: () => undefined },
  }).bodies;

it('M5: base64 of a JSON body goes on as it came, over every wire format', async () => {
  const image = Buffer.concat([PNG_HEAD, Buffer.alloc(3 * MEBIBYTE, 'pixels')]);
  const [body] = prepare(edit(image), 'gemini-images');
  let pauses = 0;
  const written = await body?.writeInSlices?.(async () => void pauses++);
  expect(pauses).toBeGreaterThan(10);
  const { contents } = JSON.parse((await gatherBytes(written ?? PNG_HEAD)).toString());
  expect(contents[0].parts[0].inlineData.data === image.toString('base64')).toBe(true);
});

it.each([
  ['with letters for URLs', (image: Buffer) => image.toString('base64url')],
  ['in lines', (image: Buffer) => image.toString('base64').replaceAll(/.{76}/g, '$&\r\n')],
])('M5: base64 %s is brought into its standard form in steps', async (_form, write) => {
  const image = Buffer.concat([PNG_HEAD, randomBytes(3.9 * MEBIBYTE)]);
  const google = Buffer.from(
    JSON.stringify({
      contents: [{ parts: [{ text: 'p' }, { inlineData: { mimeType: 'image/png', data: write(image) } }] }],
    }),
  );
  const ofGoogle = runAtOnce(readGeminiImages(google, { model: 'm', stream: false, framing: 'sse' }));
  for (const [exchange, protocol, read] of [
    [
      editBase64(write(image)),
      'gemini-images',
      ({ contents }) => contents[0]?.parts[0]?.inlineData.data ?? '',
    ],
    [
      ofGoogle,
      'openai-images',
      ({ images }) => images[0]?.image_url.slice('data:image/png;base64,'.length) ?? '',
    ],
  ] as const satisfies Case[]) {
    const decoded = vi.spyOn(Buffer, 'from');
    let pauses = 0;
    const written = await prepare(exchange, protocol)[0]?.writeInSlices?.(async () => void pauses++);
    const longest = Math.max(...decoded.mock.calls.map(([value]) => String(value).length));
    decoded.mockRestore();
    expect(pauses).toBeGreaterThanOrEqual(10);
    expect(longest).toBeLessThan(MEBIBYTE);
    const body = JSON.parse((await gatherBytes(written ?? PNG_HEAD)).toString());
    expect(read(body) === image.toString('base64')).toBe(true);
  }
});

it('may be megabytes of line breaks no more than megabytes of an image', () => {
  const base64 = `${PNG_HEAD.toString('base64')}${'\n'.repeat(7 * MEBIBYTE)}`;
  expect(() => editBase64(base64)).toThrow(refusal('images[0].image_url', 'smaller than 4 MB'));
});

it('is smaller than 4 MB, and PNG by what it begins with', () => {
  const largest = 4 * MEBIBYTE - 1;
  const of = (bytes: number) => edit(Buffer.concat([PNG_HEAD, Buffer.alloc(bytes - PNG_HEAD.length)]));
  expect(of(largest).model).toBe('m');
  const param = 'images[0].image_url';
  expect(() => of(largest + 1)).toThrow(refusal(param, 'smaller than 4 MB'));
  expect(() => edit(Buffer.alloc(MEBIBYTE))).toThrow(refusal(param, 'PNG'));
});

it('M5: a prompt of megabytes is refused before it is read', () => {
  const ask = (prompt: string) => readImageGeneration(Buffer.from(JSON.stringify({ model: 'm', prompt })));
  expect(ask('a'.repeat(262_144)).model).toBe('m');
  expect(() => ask(' '.repeat(2 * MEBIBYTE))).toThrow(refusal('prompt', '262144 characters'));
});
