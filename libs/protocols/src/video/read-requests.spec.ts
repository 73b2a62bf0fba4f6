import { GatewayError } from '@mg/contract';
import { describe, expect, it, vi } from 'vitest';
import { readGenericVideoRequest } from './read-generic-request.js';
import { readNativeVideoRequest } from './read-native-request.js';

const toBody = (value: unknown) => Buffer.from(JSON.stringify(value));
const generic = (fields: object = {}) =>
  readGenericVideoRequest(toBody({ model: 'm', prompt: 'a cat', ...fields }));
const TEXT = [{ type: 'text', text: 'a cat' }];
const native = (fields: object = {}) =>
  readNativeVideoRequest(toBody({ model: 'm', content: TEXT, ...fields }));

function paramOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return 'nothing was refused';
}

describe('an order of the generic video API', () => {
  it('lasts five seconds unless set otherwise', () => {
    expect(generic()).toEqual({
      model: 'm',
      order: { prompt: 'a cat', seconds: 5 },
      callbackUrl: undefined,
    });
    expect(generic({ duration: 8 }).order.seconds).toBe(8);
    expect(generic({ seconds: '12' }).order.seconds).toBe(12);
    expect(generic({ duration: null, seconds: 6 }).order.seconds).toBe(6);
  });

  it('takes every word of the API', () => {
    const { order, callbackUrl } = generic({
      image: 'https://example.com/a.png',
      last_frame: 'data:image/png;base64,AAAA',
      reference_images: ['https://example.com/b.png'],
      size: '1280x720',
      aspect_ratio: '16:9',
      resolution: '720p',
      fps: 24,
      seed: 0,
      negative_prompt: 'dogs',
      audio: false,
      callback_url: 'https://example.com/hook',
      metadata: { camera_fixed: false },
      extra: { watermark: 0 },
      guidance: 7,
      user: 'u',
    });
    expect(order).toEqual({
      prompt: 'a cat',
      seconds: 5,
      image: 'https://example.com/a.png',
      lastImage: 'data:image/png;base64,AAAA',
      referenceImages: ['https://example.com/b.png'],
      size: { width: 1280, height: 720 },
      ratio: '16:9',
      resolution: '720p',
      fps: 24,
      seed: 0,
      negativePrompt: 'dogs',
      audio: false,
      extra: { guidance: 7, camera_fixed: false, watermark: 0 },
    });
    expect(callbackUrl).toBe('https://example.com/hook');
  });

  it('takes one image of a list as the first frame and several as subjects', () => {
    const [a, b] = ['https://example.com/a.png', 'https://example.com/b.png'];
    expect(generic({ images: [a] }).order).toMatchObject({ image: a });
    expect(generic({ images: [a, b] }).order).toMatchObject({ referenceImages: [a, b] });
    expect(generic({ first_frame: a, images: [b] }).order).toMatchObject({ image: a, referenceImages: [b] });
    expect(generic({ width: 640, height: 480 }).order.size).toEqual({ width: 640, height: 480 });
  });

  it.each([
    [{ model: undefined }, 'model'],
    [{ model: 7 }, 'model'],
    [{ model: ' ' }, 'model'],
    [{ prompt: undefined }, 'prompt'],
    [{ prompt: ['a'] }, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: 'a'.repeat(32_769) }, 'prompt'],
    [{ negative_prompt: 'a'.repeat(32_769) }, 'negative_prompt'],
    [{ duration: 0 }, 'duration'],
    [{ duration: -1 }, 'duration'],
    [{ duration: 5.5 }, 'duration'],
    [{ duration: '5' }, 'duration'],
    [{ duration: 100_000 }, 'duration'],
    [{ seconds: 'five' }, 'seconds'],
    [{ duration: 5, seconds: 6 }, 'seconds'],
    [{ image: 'ftp://example.com/a' }, 'image'],
    [{ image: { url: 'https://example.com' } }, 'image'],
    [{ image: `https://example.com/${'a'.repeat(16 * 1024)}` }, 'image'],
    [{ image: `data:image/${'a'.repeat(128)};base64,AAAA` }, 'image'],
    [{ images: 'https://example.com' }, 'images'],
    [{ images: [1] }, 'images[0]'],
    [{ size: '1280' }, 'size'],
    [{ size: '0x5' }, 'size'],
    [{ width: 5 }, 'height'],
    [{ ratio: '16/9' }, 'ratio'],
    [{ aspect_ratio: '0:1' }, 'aspect_ratio'],
    [{ resolution: 720 }, 'resolution'],
    [{ fps: 0 }, 'fps'],
    [{ seed: 'x' }, 'seed'],
    [{ audio: 'yes' }, 'audio'],
    [{ n: 2 }, 'n'],
    [{ response_format: 'b64_json' }, 'response_format'],
    [{ metadata: 'x' }, 'metadata'],
    [{ metadata: { duration: 60 } }, 'metadata.duration'],
    [{ extra: { model: 'dearer' } }, 'extra.model'],
    [{ metadata: { mode: 'pro' } }, 'metadata.mode'],
    [{ durationSeconds: 60 }, 'durationSeconds'],
    [{ callback_url: 'file:///etc/passwd' }, 'callback_url'],
    [{ callback_url: 'https://u:p@example.com' }, 'callback_url'],
  ])('with %j is refused for %s', (fields, param) => {
    expect(paramOf(() => generic(fields))).toBe(param);
  });

  it.each(['', '[]', '{"model":', 'null'])('that is no JSON object is refused: %s', (text) => {
    expect(paramOf(() => readGenericVideoRequest(Buffer.from(text)))).toBe('body');
  });
});

describe('an order of the native video API', () => {
  it('has texts of as many characters together as are read in one step', () => {
    const text = { type: 'text', text: 'x'.repeat(32_768) };
    expect(native({ content: [text, text] }).body.content).toHaveLength(2);
    expect(() => native({ content: [text, text, TEXT[0]] })).toThrow(
      'content must hold texts of at most 65536 characters.',
    );
  });

  it('C1: is searched for options without what its ligatures stand for', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const praise = { type: 'text', text: `\uFDFA${'\uFDFA\uFDFB'.repeat(16_000)} --dur 7` };
    const { seconds, body } = native({ content: [praise] });
    const lengths = normalize.mock.results.map(({ value }) => String(value).length);
    normalize.mockRestore();
    expect(seconds).toBe(7);
    expect(body.content).toEqual([{ type: 'text', text: praise.text.slice(0, -8) }]);
    // Eighteen times as much before.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(praise.text.length);
  });

  it('keeps everything but the callback address', () => {
    const body = {
      model: 'm',
      content: [...TEXT, { type: 'image_url', image_url: { url: 'asset://1' }, role: 'first_frame' }],
      duration: 15,
      ratio: '16:9',
      resolution: '1080p',
      watermark: false,
      seed: 0,
      new_field: { deep: [null, 1.5] },
      metadata: { mine: true },
    };
    const request = native({ ...body, callback_url: 'https://example.com/hook' });
    expect(request).toEqual({
      model: 'm',
      body,
      seconds: 15,
      resolution: '1080p',
      sourceVideo: undefined,
      callbackUrl: 'https://example.com/hook',
    });
  });

  it('says how long it is, in seconds or in frames, and is charged for that', () => {
    expect(native()).toMatchObject({ seconds: 5, body: { duration: 5 } });
    expect(native({ duration: null })).toMatchObject({ seconds: 5, body: { duration: 5 } });
    const counted = native({ frames: 289 });
    expect(counted).toMatchObject({ seconds: 13, body: { frames: 289 } });
    expect(counted.body).not.toHaveProperty('duration');
    expect(native({ ratio: 'adaptive' }).body.ratio).toBe('adaptive');
    expect(native({ resolution: ' 1080P' })).toMatchObject({
      resolution: '1080p',
      body: { resolution: '1080p' },
    });
  });

  it('names the place of a source video, whose length costs too', () => {
    const video = { type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } };
    expect(native({ content: [...TEXT, video] }).sourceVideo).toBe('content[1]');
  });

  it.each([
    [{ model: undefined }, 'model'],
    [{ model: 5 }, 'model'],
    [{ content: undefined }, 'content'],
    [{ content: [] }, 'content'],
    [{ content: 'a cat' }, 'content'],
    [{ content: ['a cat'] }, 'content[0]'],
    [{ content: [{ text: 'a cat' }] }, 'content[0].type'],
    [{ content: [{ type: 'text', text: 5 }] }, 'content[0].text'],
    [{ content: [{ type: 'text', text: 'x'.repeat(40_000) }] }, 'content[0].text'],
    [{ content: [{ type: 't'.repeat(65) }] }, 'content[0].type'],
    [{ duration: 3 }, 'duration'],
    [{ duration: 16 }, 'duration'],
    [{ duration: 4.5 }, 'duration'],
    [{ duration: '5' }, 'duration'],
    [{ frames: 361 }, 'frames'],
    [{ ratio: 'wide' }, 'ratio'],
    [{ ratio: 16 }, 'ratio'],
    [{ resolution: 720 }, 'resolution'],
    [{ resolution: '1080p --dur 15' }, 'resolution'],
    [{ callback_url: 'nowhere' }, 'callback_url'],
  ])('with %j is refused for %s', (fields, param) => {
    expect(paramOf(() => native(fields))).toBe(param);
  });

  it.each(['model', 'content'])('says that %s does not belong into metadata', (field) => {
    const nested = { metadata: { model: 'm', content: TEXT }, [field]: undefined };
    expect(() => native(nested)).toThrow(
      `${field} must stand at the top level of the body, not inside metadata`,
    );
  });
});
