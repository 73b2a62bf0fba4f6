import { crc32, inflateSync } from 'node:zlib';
import { gatherBytes, type JsonObject, readEvents, writeForm } from '@mg/protocols';
import { expect, it } from 'vitest';
import type { LocalReply } from '../descriptor.js';
import { imageExchanges } from './answer-images.js';

interface Answer {
  readonly data: readonly { readonly b64_json: string; readonly revised_prompt: string }[];
  readonly usage: JsonObject;
}

const [generations, edits] = imageExchanges;

function ask(surface: typeof generations, body: Buffer, contentType = 'application/json'): LocalReply {
  if (!surface?.answer) throw new Error('the sandbox makes no images');
  const path = surface.path({ model: 'sandbox-image', stream: false, settings: {} });
  return surface.answer({ body, contentType, path, signal: new AbortController().signal });
}

async function readAll({ chunks }: LocalReply): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces);
}

const generate = async (fields: object) => {
  const reply = ask(generations, Buffer.from(JSON.stringify({ prompt: 'a fox', ...fields })));
  return JSON.parse((await readAll(reply)).toString()) as Answer;
};

/** Chunks of a PNG by name, each with a true checksum. */
function readPng(base64: string | undefined): Map<string, Buffer> {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    const named = bytes.subarray(at + 4, at + 8 + length);
    expect(crc32(named)).toBe(bytes.readUInt32BE(at + 8 + length));
    chunks.set(named.subarray(0, 4).toString(), named.subarray(4));
    at += length + 12;
  }
  return chunks;
}

it('draws valid images of the size asked for, labelled as simulated', async () => {
  const { data, usage } = await generate({ size: '320x200', n: 2 });
  expect(data).toHaveLength(2);
  expect(data[0]?.b64_json).not.toBe(data[1]?.b64_json);
  expect(data[0]?.revised_prompt).toBe('Simulated: a fox');
  expect(usage).toMatchObject({ output_tokens: 544 });
  const png = readPng(data[0]?.b64_json);
  expect([...png.keys()]).toEqual(['IHDR', 'PLTE', 'iTXt', 'IDAT', 'IEND']);
  expect([png.get('IHDR')?.readUInt32BE(0), png.get('IHDR')?.readUInt32BE(4)]).toEqual([320, 200]);
  expect(inflateSync(png.get('IDAT') ?? Buffer.alloc(0))).toHaveLength((1 + 320 / 4) * 200);
  expect(png.get('iTXt')?.toString()).toContain('Simulated image: a fox');
});

it('draws the same for the same prompt, and huge sizes smaller', async () => {
  const [one, again, huge] = await Promise.all([
    generate({ size: '64x64' }),
    generate({ size: '64x64' }),
    generate({ size: '99999x10' }),
  ]);
  expect(one.data).toEqual(again.data);
  expect(readPng(huge.data[0]?.b64_json).get('IHDR')?.readUInt32BE(0)).toBe(2_048);
});

it('edits an image in its own size', async () => {
  const [input] = (await generate({ size: '48x32' })).data;
  const form = writeForm([
    { name: 'prompt', bytes: Buffer.from('a fox') },
    { name: 'image', filename: 'a.png', bytes: Buffer.from(input?.b64_json ?? '', 'base64') },
  ]);
  const answer = JSON.parse(
    (await readAll(ask(edits, await gatherBytes(form.bytes), form.contentType))).toString(),
  ) as Answer;
  expect(readPng(answer.data[0]?.b64_json).get('IHDR')?.readUInt32BE(0)).toBe(48);
  expect(answer.data[0]?.b64_json).not.toBe(input?.b64_json);
});

it('streams as many previews as asked for, then the image', async () => {
  const body = { prompt: 'a fox', size: '64x64', stream: true, partial_images: 2 };
  const bytes = await readAll(ask(generations, Buffer.from(JSON.stringify(body))));
  const events = [...readEvents(bytes)].map(({ event }) => event);
  expect(events).toEqual([
    'image_generation.partial_image',
    'image_generation.partial_image',
    'image_generation.completed',
  ]);
});

it('refuses one word', async () => {
  const reply = ask(generations, Buffer.from(JSON.stringify({ prompt: 'much violence' })));
  expect(reply.status).toBe(400);
  expect((await readAll(reply)).toString()).toContain('moderation_blocked');
});
