import { describe, expect, it } from 'vitest';
import { GatewayError, omitUndefined } from '@mg/contract';
import type {
  PreparedCall,
  Exchange,
  ExchangeTarget,
  FormPart,
  UpstreamAnswer,
} from '../exchange/exchange.js';
import { splitForm } from '../exchange/split-form.js';
import { gatherBytes } from '../exchange/stored-bytes.js';
import type { JsonObject } from '../json.js';
import type { ImageTraits } from './image-traits.js';
import { readImageEdit, readImageEditForm, readImageGeneration } from './read-images.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const DATA_URL = `data:image/png;base64,${PNG.toString('base64')}`;
const GENERATION = { model: 'm', prompt: 'a fox' };

const generation = (fields: object) =>
  readImageGeneration(Buffer.from(JSON.stringify({ ...GENERATION, ...fields })));
const edit = (fields: object) => readImageEdit(Buffer.from(JSON.stringify({ ...GENERATION, ...fields })));
const field = (name: string, value: string | Buffer, contentType?: string): FormPart =>
  omitUndefined({
    name,
    bytes: Buffer.from(value),
    contentType,
    filename: contentType === undefined ? undefined : `${name}.png`,
  });
const form = (...parts: FormPart[]) =>
  readImageEditForm([field('model', 'm'), field('prompt', 'a fox'), ...parts]);
const imagePart = (name = 'image', bytes = PNG) => field(name, bytes, 'image/png');

interface Prepared extends PreparedCall {
  readonly sent: JsonObject;
  readonly dropped: readonly string[];
}

function prepare(
  exchange: Exchange,
  image: ImageTraits = {},
  protocol: ExchangeTarget['protocol'] = 'openai-images',
) {
  const dropped: string[] = [];
  const asking = exchange.prepare({
    protocol,
    model: 'real',
    channelType: 'some',
    traits: { image },
    dropped: { add: (name) => dropped.push(name) },
  });
  const body = asking.bodies[0];
  const isJson = body?.contentType.includes('json') === true;
  const sent = isJson ? (JSON.parse(body.bytes.toString()) as JsonObject) : {};
  return { ...asking, sent, dropped } satisfies Prepared;
}

function answer(value: object): UpstreamAnswer {
  const bytes = Buffer.from(JSON.stringify(value));
  return { contentType: 'application/json', bytes, parsed: value as JsonObject };
}

const read = (asking: PreparedCall, value: object) => {
  const { bytes, usage } = asking.readAnswer([answer(value)]);
  return { usage, text: bytes.toString() };
};
const refusal = (param: string) => expect.objectContaining({ code: 'invalid_request', param });

describe('requests for images', () => {
  it.each<[string, object]>([
    ['model', { model: 5 }],
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: ' ' }],
    ['n', { n: 0 }],
    ['n', { n: 11 }],
    ['n', { n: -1 }],
    ['n', { n: 1.5 }],
    ['n', { n: '2' }],
    ['size', { size: '1024' }],
    ['size', { size: '0x5' }],
    ['size', { size: '1024x1024 ' }],
    ['size', { size: '2K' }],
    ['size', { size: 1024 }],
    ['response_format', { response_format: 'png' }],
    ['partial_images', { partial_images: 4 }],
    ['stream', { stream: 'yes' }],
  ])('are refused by the name of the field: %s', (param, fields) => {
    expect(() => generation(fields)).toThrow(refusal(param));
  });

  it.each<[string, readonly FormPart[]]>([
    ['image', []],
    ['image', [field('image', 'GIF89a', 'image/png')]],
    ['image', [imagePart('image', Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]))]],
    ['image[1]', [imagePart('image[]'), field('image[]', 'JFIF', 'image/png')]],
    ['mask', [imagePart(), field('mask', 'no', 'image/png')]],
    ['n', [imagePart(), field('n', 'many')]],
    ['n', [imagePart(), field('n', '11')]],
    ['size', [imagePart(), field('size', 'big')]],
    ['stream', [imagePart(), field('stream', 'maybe')]],
  ])('to work on others are refused by the name of the part: %s', (param, parts) => {
    expect(() => form(...parts)).toThrow(refusal(param));
  });

  it.each<[string, object]>([
    ['images', {}],
    ['images[0]', { images: [{}] }],
    ['images', { images: Array.from({ length: 17 }, () => ({})) }],
    ['images[0].image_url', { images: [{ image_url: 'ftp://x' }] }],
    [
      'images[1].image_url',
      { images: [{ image_url: DATA_URL }, { image_url: 'data:image/png;base64,AAAA' }] },
    ],
    ['mask.image_url', { images: [{ image_url: DATA_URL }], mask: { image_url: 'x' } }],
  ])('as JSON are refused by the name of the field: %s', (param, fields) => {
    expect(() => edit(fields)).toThrow(refusal(param));
  });

  it('hold money for every image, and name the price variants from the most precise on', () => {
    const exchange = generation({ n: 3, size: '1024x1536', quality: 'high' });
    expect(exchange.bound.images).toBe(3);
    expect(exchange.priceVariants).toEqual(['1024x1536/high', 'high', '1024x1536']);
    expect(generation({ size: 'auto', quality: 'auto' }).priceVariants).toEqual([]);
    expect(exchange.openVariant).toBeUndefined();
    // What an image of high quality takes at that size.
    expect(exchange.bound.outputTokens).toBeGreaterThan(3 * 6_240);
  });
});

describe('H4: a size or a quality that the request leaves open', () => {
  it.each([
    [{ quality: 'auto', size: 'auto' }, ['hd', '1024x1792', '1024x1792/hd'], [], true],
    [{}, ['hd', '1024x1792/hd'], [], false],
    [{ quality: 'low', size: 'auto' }, ['low', '1024x1792/low'], ['hd', '1024x1792/hd'], true],
    [{ quality: 'auto', size: '1024x1024' }, ['hd', '1024x1024/hd'], ['1024x1792/hd'], true],
  ])('may be any variant that the rest of it allows: %j', (fields, possible, impossible, isAsked) => {
    const { openVariant } = generation(fields);
    expect(possible.filter((name) => !openVariant?.mayBe(name))).toEqual([]);
    expect(impossible.filter((name) => openVariant?.mayBe(name))).toEqual([]);
    expect(openVariant?.isAsked).toBe(isAsked);
  });
});

describe('an OpenAI channel', () => {
  it('gets the body as it came', () => {
    const bytes = Buffer.from('{"model": "m",  "prompt":"a fox","odd":1.0}');
    const { bodies } = prepare(readImageGeneration(bytes));
    expect(bodies[0]?.bytes.toString()).toBe('{"model": "real",  "prompt":"a fox","odd":1.0}');
  });

  it('gets a form with every image in its order', async () => {
    const { bodies } = prepare(
      form(imagePart('image[]'), imagePart('image[]'), imagePart('mask'), field('n', '2')),
    );
    const parts = splitForm(
      bodies[0]?.contentType ?? '',
      await gatherBytes(bodies[0]?.bytes ?? Buffer.alloc(0)),
    );
    expect(parts.map((part) => part.name)).toEqual(['model', 'prompt', 'image[]', 'image[]', 'mask', 'n']);
    expect(parts[0]?.bytes.toString()).toBe('real');
    expect(parts[3]?.bytes.equals(PNG)).toBe(true);
  });

  it('is spared what its model refuses; what the gateway sees to itself is not dropped', async () => {
    const asked = { response_format: 'url', style: 'vivid', quality: 'high' };
    const { sent, dropped } = prepare(generation(asked), { refuses: ['response_format', 'style'] });
    expect(sent).toEqual({ model: 'real', prompt: 'a fox', quality: 'high' });
    expect(dropped).toEqual(['style']);
    const { bodies } = prepare(form(imagePart(), field('response_format', 'url')), {
      refuses: ['response_format'],
    });
    const parts = splitForm(
      bodies[0]?.contentType ?? '',
      await gatherBytes(bodies[0]?.bytes ?? Buffer.alloc(0)),
    );
    expect(parts.map((part) => part.name)).toEqual(['model', 'prompt', 'image']);
  });

  it('is not asked for more images than its model makes', () => {
    expect(() => prepare(generation({ n: 2 }), { maxCount: 1 })).toThrow(refusal('n'));
  });

  it('gets sizes and images in its own fields', () => {
    const sized = generation({ size: '1536x1024', response_format: 'b64_json' });
    expect(prepare(sized, { sizeAs: 'width-height', base64Word: 'base64' }).sent).toEqual({
      model: 'real',
      prompt: 'a fox',
      width: 1536,
      height: 1024,
      response_format: 'base64',
    });
    expect(prepare(sized, { sizeAs: 'aspect-ratio' }).sent).toMatchObject({
      aspect_ratio: '3:2',
      resolution: '1k',
    });
    expect(prepare(form(imagePart()), { imagesAs: 'texts' }).sent.image).toBe(DATA_URL);
    expect(prepare(form(imagePart(), imagePart()), { imagesAs: 'texts' }).sent.image).toEqual([
      DATA_URL,
      DATA_URL,
    ]);
    const byUrl = edit({ images: [{ image_url: 'https://x/y.png' }] });
    expect(prepare(byUrl, { imagesAs: 'objects' }).sent.image).toEqual({
      type: 'image_url',
      url: 'https://x/y.png',
    });
    expect(() => prepare(form(imagePart(), imagePart('mask')), { imagesAs: 'texts' })).toThrow(
      refusal('mask'),
    );
    expect(() => prepare(edit({ images: [{ file_id: 'f' }] }), { imagesAs: 'texts' })).toThrow(
      refusal('images[0].file_id'),
    );
  });

  it('counts images that came, and tokens by what they are parts of', () => {
    const { usage, text } = read(prepare(generation({ n: 2 })), {
      created: 1,
      data: [{ b64_json: 'AA' }, { url: 'https://x' }, { error: {} }],
      usage: {
        input_tokens: 30,
        input_tokens_details: { image_tokens: 20, text_tokens: 10 },
        output_tokens: 1_056,
        total_tokens: 1_086,
      },
    });
    expect(usage).toMatchObject({
      images: 2,
      inputTokens: 30,
      imageInputTokens: 20,
      outputTokens: 1_056,
      imageOutputTokens: 1_056,
    });
    expect(JSON.parse(text)).toMatchObject({
      created: 1,
      data: [{ b64_json: 'AA', url: 'data:image/png;base64,AA' }, { url: 'https://x' }],
    });
  });

  it('may answer bytes to a client that wants a URL', () => {
    const asking = prepare(generation({ response_format: 'url' }), { refuses: ['response_format'] });
    const { text } = read(asking, {
      created: 1,
      output_format: 'webp',
      data: [{ b64_json: 'AA', revised_prompt: 'b' }],
    });
    expect(JSON.parse(text)).toMatchObject({
      data: [{ url: 'data:image/webp;base64,AA', revised_prompt: 'b' }],
    });
  });

  it('never makes an empty answer of a refusal or a failure', () => {
    const asking = prepare(generation({}));
    expect(() => read(asking, { data: [] })).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    expect(() => read(asking, { data: [{ error: { message: 'not nice' } }] })).toThrow(
      'prompt was refused by the provider: not nice.',
    );
  });

  it('streams: whole images are counted and nothing is changed', () => {
    const reader = prepare(generation({ stream: true, n: 2 })).createReader?.();
    const big = 'A'.repeat(9 * 1024 * 1024);
    const partial = `event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"${big}"}\n\n`;
    const usage = '"usage":{"input_tokens":5,"output_tokens":100}';
    const whole = `event: image_generation.completed\ndata: {"type":"image_generation.completed","b64_json":"AA",${usage}}\n\n`;
    const stream = Buffer.from(partial + whole + whole);
    const out = [];
    for (let at = 0; at < stream.length; at += 1_000_000) {
      out.push(reader?.push(stream.subarray(at, at + 1_000_000)) ?? Buffer.alloc(0));
    }
    expect(Buffer.concat(out).equals(stream)).toBe(true);
    expect(reader?.usage).toMatchObject({ images: 2, inputTokens: 10, outputTokens: 200 });
    expect(reader?.done).toBe(true);
  });

  it('that does not stream gives one event for each image', () => {
    const asking = prepare(generation({ stream: true }), { refuses: ['stream'] });
    expect(asking.sent.stream).toBeUndefined();
    const { text } = read(asking, {
      created: 1,
      data: [{ b64_json: 'AA' }],
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    const [name, data] = text.trim().split('\n');
    expect(name).toBe('event: image_generation.completed');
    expect(JSON.parse(data?.slice(6) ?? '')).toMatchObject({
      type: 'image_generation.completed',
      b64_json: 'AA',
      usage: { output_tokens: 2 },
    });
  });
});

describe('a Gemini channel', () => {
  const ask = (exchange: Exchange) => prepare(exchange, {}, 'gemini-images');
  const parts = (list: object[], more: object = {}) => ({
    candidates: [{ content: { parts: list }, finishReason: 'STOP', ...more }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 1_130,
      thoughtsTokenCount: 20,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_120 }],
    },
  });

  it('gets the images before the prompt, and the nearest ratio', () => {
    const { sent, dropped } = ask(form(imagePart(), field('size', '1024x1792'), field('quality', 'high')));
    expect(sent).toEqual({
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } }, { text: 'a fox' }],
        },
      ],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '9:16', imageSize: '1K' },
      },
    });
    expect(dropped).toEqual(['quality']);
  });

  it.each<[string, Exchange]>([
    ['n', generation({ n: 2 })],
    ['mask', form(imagePart(), imagePart('mask'))],
    ['background', generation({ background: 'transparent' })],
    ['images[0]', edit({ images: [{ image_url: 'https://x/y.png' }] })],
  ])('cannot do what would change the meaning: %s', (param, exchange) => {
    expect(() => ask(exchange)).toThrow(refusal(param));
  });

  it('answers with the images that are no thoughts, its tokens counted by kind', () => {
    const image = (data: string) => ({ inlineData: { mimeType: 'image/jpeg', data } });
    const { usage, text } = read(
      ask(generation({})),
      parts([{ ...image('TH'), thought: true }, { text: 'Here.' }, image('AA')]),
    );
    expect(JSON.parse(text)).toMatchObject({ data: [{ b64_json: 'AA' }], output_format: 'jpeg' });
    expect(usage).toMatchObject({
      images: 1,
      inputTokens: 10,
      outputTokens: 1_150,
      imageOutputTokens: 1_120,
    });
  });

  it.each<[string, object, string]>([
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'SAFETY'],
    ['an image kept back', parts([], { finishReason: 'IMAGE_SAFETY', finishMessage: 'Unsafe.' }), 'Unsafe.'],
  ])('sends the provider’s words for %s', (_name, body, said) => {
    expect(() => read(ask(generation({})), body)).toThrow(`prompt was refused by the provider: ${said}`);
  });

  it.each([{}, parts([{ text: 'I cannot draw.' }]), parts([], { finishReason: 'NO_IMAGE' })])(
    'that failed is at fault: %j',
    (body) => {
      expect(() => read(ask(generation({})), body)).toThrow(GatewayError);
      expect(() => read(ask(generation({})), body)).toThrow(
        expect.objectContaining({ code: 'upstream_error' }),
      );
    },
  );
});

describe('an Imagen channel', () => {
  const ask = (exchange: Exchange) => prepare(exchange, {}, 'imagen-images');

  it('is asked for several images of a prompt at once, by ratio', () => {
    const { sent, dropped } = ask(generation({ n: 3, size: '1792x1024', quality: 'high' }));
    expect(sent).toEqual({
      instances: [{ prompt: 'a fox' }],
      parameters: { sampleCount: 3, aspectRatio: '16:9', sampleImageSize: '1K' },
    });
    expect(dropped).toEqual(['quality']);
  });

  it('is billed by the images that its filters left', () => {
    const asking = ask(generation({ n: 2 }));
    const { text, usage } = read(asking, {
      predictions: [{ bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }, { raiFilteredReason: 'unsafe' }],
    });
    expect(JSON.parse(text).data).toEqual([{ url: 'data:image/png;base64,AAAA', b64_json: 'AAAA' }]);
    expect(usage).toMatchObject({ images: 1 });
  });

  it.each<[string, Exchange]>([
    ['n', generation({ n: 5 })],
    ['size', generation({ size: '2520x1080' })],
    ['background', generation({ background: 'transparent' })],
  ])('cannot do what would change the meaning: %s', (param, exchange) => {
    expect(() => ask(exchange)).toThrow(refusal(param));
  });

  it('that gives no image has refused the prompt, or failed', () => {
    const asking = ask(generation({}));
    expect(() => read(asking, { predictions: [{ raiFilteredReason: 'unsafe' }] })).toThrow(refusal('prompt'));
    expect(() => read(asking, {})).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });
});
