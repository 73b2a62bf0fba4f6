import { describe, expect, it } from 'vitest';
import { JsonShape, VECTOR_SHAPE } from '../framing/json-shape.js';
import { decodeSlices } from '../standard-base64.js';
import { parseAnswerInSlices } from '../strict-json/parse-in-slices.js';
import type { JoinedText } from '../strict-json/joined-text.js';
import { readImageGeneration } from './read-images.js';

/** 18 MB of base64: more than is read as one string. */
const FILE = Buffer.from('0123456789ab'.repeat(1_125_000));
const BASE64 = FILE.toString('base64');
const HEAD = 'data:image/png;base64,';
const pause = () => Promise.resolve();

const inline = (data: string) => ({ inlineData: { mimeType: 'image/png', data } });
const ANSWERS = {
  'openai-images': { created: 1, data: [{ b64_json: BASE64 }] },
  'gemini-images': { candidates: [{ content: { parts: [inline(BASE64)] }, finishReason: 'STOP' }] },
  'imagen-images': { predictions: [{ mimeType: 'image/png', bytesBase64Encoded: BASE64 }] },
};

async function read(
  protocol: keyof typeof ANSWERS,
  format: string | undefined,
  nameAddress: (base64: string | JoinedText) => string | undefined = () => undefined,
) {
  const bytes = Buffer.from(JSON.stringify(ANSWERS[protocol]));
  const shape = new JsonShape(VECTOR_SHAPE);
  shape.push(bytes);
  const parsed = await parseAnswerInSlices(bytes, shape.end(), pause, shape.flatBytes);
  const request = { model: 'm', prompt: 'a fox', response_format: format };
  const target = { protocol, model: 'm', channelType: 'some', traits: {}, dropped: { add: () => undefined } };
  const call = readImageGeneration(Buffer.from(JSON.stringify(request))).prepare(target);
  const answer = call.readAnswer([{ contentType: 'application/json', bytes, parsed }], nameAddress);
  const written = (await answer.writeInSlices?.(pause)) ?? answer.bytes;
  const { data } = JSON.parse(written.toString()) as { data: readonly { url?: string; b64_json?: string }[] };
  return { image: data[0], images: answer.usage?.images };
}

const PROTOCOLS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

describe('M5: an image of which no one string is made', () => {
  it.each(PROTOCOLS)('is what the client gets: %s', async (protocol) => {
    const whole = await read(protocol, 'b64_json');
    expect(whole.images).toBe(1);
    expect(whole.image?.b64_json === BASE64).toBe(true);
    const addressed = await read(protocol, 'url');
    expect(addressed.image?.url === HEAD + BASE64).toBe(true);
  });

  it('is kept under an address piece by piece', async () => {
    const given: (string | JoinedText)[] = [];
    const address = 'https://ours/a.png';
    const { image } = await read('imagen-images', 'url', (base64) => {
      given.push(base64);
      return address;
    });
    expect(image).toEqual({ url: address });
    const decoded: Buffer[] = [];
    for (const base64 of given) {
      expect(typeof base64).toBe('object');
      for await (const piece of decodeSlices(base64, pause)) decoded.push(piece);
    }
    expect(Buffer.concat(decoded).equals(FILE)).toBe(true);
  });
});
