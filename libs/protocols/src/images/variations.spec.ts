import { omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { ExchangeTarget, FormPart } from '../exchange/exchange.js';
import { splitForm } from '../exchange/split-form.js';
import { gatherBytes } from '../exchange/stored-bytes.js';
import { readImageVariation } from './read-images.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const TARGET: ExchangeTarget = {
  protocol: 'openai-images',
  model: 'real',
  channelType: 'some',
  traits: {},
  dropped: { add: () => undefined },
};

const field = (name: string, value: string | Buffer, contentType?: string): FormPart =>
  omitUndefined({
    name,
    bytes: Buffer.from(value),
    contentType,
    filename: contentType === undefined ? undefined : `${name}.png`,
  });
const imagePart = (name = 'image') => field(name, PNG, 'image/png');
const refusal = (param: string) => expect.objectContaining({ code: 'invalid_request', param });

describe('requests for variations of an image', () => {
  it.each<[string, readonly FormPart[]]>([
    ['image', []],
    ['image', [field('image', 'GIF89a', 'image/png')]],
    ['image', [imagePart(), imagePart()]],
    ['image[]', [imagePart('image[]')]],
    ['mask', [imagePart(), imagePart('mask')]],
    ['user', [imagePart(), field('user', 'x'.repeat(600_000))]],
    ['n', [imagePart(), field('n', '11')]],
    ['n', [imagePart(), field('n', '-1')]],
    ['size', [imagePart(), field('size', 'big')]],
    ['response_format', [imagePart(), field('response_format', 'png')]],
    ['prompt', [imagePart(), field('prompt', 'a hat')]],
    ['quality', [imagePart(), field('quality', 'hd')]],
    ['stream', [imagePart(), field('stream', 'true')]],
    ['toString', [imagePart(), field('toString', 'x')]],
    ['__proto__', [imagePart(), field('__proto__', 'x')]],
  ])('are refused by the name of the part: %s', (param, parts) => {
    expect(() => readImageVariation([field('model', 'm'), ...parts])).toThrow(refusal(param));
  });

  it('hold money for every image, and go on as they are', async () => {
    const parts = [field('model', 'm'), imagePart(), field('n', '2'), field('size', '512x512')];
    const exchange = readImageVariation(parts);
    expect(exchange).toMatchObject({
      operation: 'image-variation',
      kind: 'image',
      priceVariants: ['512x512'],
    });
    expect(exchange.bound).toMatchObject({ images: 2 });
    const [body] = exchange.prepare(TARGET).bodies;
    const sent = body && splitForm(body.contentType, await gatherBytes(body.bytes));
    expect(sent).toEqual([{ name: 'model', bytes: Buffer.from('real') }, ...parts.slice(1)]);
  });
});
