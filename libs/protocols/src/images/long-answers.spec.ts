import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { UpstreamAnswer } from '../exchange/exchange.js';
import type { JsonObject } from '../json.js';
import { geminiImageChannel } from './gemini-images.js';
import type { ImageRequest } from './image.js';
import { readDrawnVariant } from './image-usage.js';
import { imagenChannel } from './imagen-images.js';
import { openAiImageChannel } from './openai-images.js';
import { readGeminiImages } from './read-gemini-images.js';

const LONG = 'SAFETY '.repeat(1024 * 1024);
const REQUEST = { task: 'generate', count: 1, images: [], fields: {} } as unknown as ImageRequest;
const CHANNELS = { openai: openAiImageChannel, gemini: geminiImageChannel, imagen: imagenChannel };

const decode = (name: keyof typeof CHANNELS, parsed: JsonObject) =>
  CHANNELS[name].decodeReply([{ parsed } as unknown as UpstreamAnswer], REQUEST);
const candidate = (fields: object): JsonObject => ({ candidates: [{ content: { parts: [] }, ...fields }] });

function readMessage(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
  return 'nothing was refused';
}

describe('C1: an answer without an image', () => {
  it.each<[keyof typeof CHANNELS, JsonObject]>([
    ['openai', { data: [{ error: { message: LONG }, junk: LONG }] }],
    ['gemini', candidate({ finishReason: 'SAFETY', finishMessage: LONG })],
    ['gemini', candidate({ finishReason: LONG })],
    ['gemini', { promptFeedback: { blockReason: LONG } }],
    ['gemini', { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: LONG } }],
    ['imagen', { predictions: [{ raiFilteredReason: LONG }] }],
  ])('of megabytes is refused in some words of it: %s', (name, answer) => {
    const message = readMessage(() => decode(name, answer));
    expect(message).toMatch(/^prompt was refused by the provider: SAFETY SAFETY /);
    expect(message.length).toBeLessThan(2_100);
  });

  it('is refused in the words of its provider', () => {
    const failed = { data: [{ error: { message: 'no cats', code: 'x' } }] };
    expect(readMessage(() => decode('openai', failed))).toBe('prompt was refused by the provider: no cats.');
  });
});

it('C1: an image whose media type is longer than there are is none, or a PNG', () => {
  const mimeType = `image/${LONG}`;
  const inline = candidate({ content: { parts: [{ inlineData: { mimeType, data: 'AAAA' } }] } });
  expect(readMessage(() => decode('gemini', inline))).toBe('The upstream answered without an image.');
  const { images } = decode('imagen', { predictions: [{ bytesBase64Encoded: 'AAAA', mimeType }] });
  expect(images).toEqual([{ base64: 'AAAA', mediaType: 'image/png' }]);
});

it('C1: a format of megabytes that an answer names stands in no URL', () => {
  const { facts } = decode('openai', { output_format: LONG, size: '1x1', data: [{ b64_json: 'AAAA' }] });
  expect(facts).toEqual({ size: '1x1' });
});

it('C1: a variant of megabytes that an answer names is not written down', () => {
  expect(readDrawnVariant({ size: '1024x1024', quality: 'high' })).toEqual({ variant: '1024x1024/high' });
  expect(readDrawnVariant({ size: '1024x1024', quality: LONG })).toEqual({});
});

describe('C1: a request for images by Google’s API', () => {
  const read = (contents: object[]) => {
    const steps = readGeminiImages(Buffer.from(JSON.stringify({ contents })), {
      model: 'm',
      stream: false,
      framing: 'json-array',
    });
    for (;;) if (steps.next().done) return;
  };
  const repeat = (length: number, part: object) => Array.from({ length }, () => part);

  it.each([
    ['turns', repeat(4_001, { parts: [] }), 'contents must hold at most 4000 items.'],
    ['parts', repeat(5, { parts: repeat(801, { text: 'a' }) }), 'contents must hold at most 4000 items.'],
    [
      'texts',
      [{ parts: [{ text: 'a'.repeat(1024 * 1024) }, { text: 'a' }] }],
      'contents must hold texts of at most 1048576 characters.',
    ],
  ])('is bounded in %s, which are read in one step', (_, contents, message) => {
    expect(readMessage(() => read(contents))).toBe(message);
  });
});
