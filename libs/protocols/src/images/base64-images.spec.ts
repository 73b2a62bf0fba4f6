import { expect, it } from 'vitest';
import { gatherBytes } from '../exchange/stored-bytes.js';
import { readImageEdit, readImageGeneration } from './read-images.js';

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');
const MEBIBYTE = 1024 * 1024;

const edit = (image: Buffer) =>
  readImageEdit(
    Buffer.from(
      JSON.stringify({
        model: 'm',
        prompt: 'p',
        images: [{ image_url: `data:image/png;base64,${image.toString('base64')}` }],
      }),
    ),
  );
const refusal = (param: string, message: string) =>
  expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(message) });

it('M5: base64 of a JSON body goes on as it came, over every wire format', async () => {
  const image = Buffer.concat([PNG_HEAD, Buffer.alloc(3 * MEBIBYTE, 'pixels')]);
  const [body] = edit(image).prepare({
    protocol: 'gemini-images',
    model: 'm',
    channelType: 'gemini',
    traits: {},
    dropped: { add: () => undefined },
  }).bodies;
  let pauses = 0;
  const written = await body?.writeInSlices?.(async () => void pauses++);
  expect(pauses).toBeGreaterThan(10);
  const { contents } = JSON.parse((await gatherBytes(written ?? PNG_HEAD)).toString());
  expect(contents[0].parts[0].inlineData.data === image.toString('base64')).toBe(true);
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
