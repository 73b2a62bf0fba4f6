import { parsePrice } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { chooseVideoVariant } from './choose-video-variant.js';
import { readGenericCall, readNativeCall } from './video-call.js';

const toBody = (value: object) => Buffer.from(JSON.stringify(value));
const generic = (fields: object) => readGenericCall(toBody({ model: 'm', prompt: 'a cat', ...fields }));
const native = (fields: object, ...parts: object[]) =>
  readNativeCall(toBody({ model: 'm', content: [{ type: 'text', text: 'a cat' }, ...parts], ...fields }));

const VIDEO = { type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } };

/** @param rates USD of a second by variant; `own` is the price's own. */
function choose({ own, ...rates }: Record<string, string>, call: ReturnType<typeof generic>) {
  const variants = Object.fromEntries(
    Object.entries(rates).map(([name, rate]) => [name, { per_second: rate }]),
  );
  const price = parsePrice({ per_second: own, variants });
  const costOf = (name: string | undefined) =>
    (name === undefined ? price : price.variants?.get(name))?.per_second ?? 0n;
  return chooseVideoVariant(price, call, costOf);
}

describe('H5: the price of a resolution', () => {
  const usual = { own: '0.2', '480p': '0.1', '720p': '0.2', '1080p': '0.5' };

  it('is that of its variant', () => {
    expect(choose(usual, native({ resolution: '1080p' }))).toBe('1080p');
    expect(choose(usual, native({ resolution: ' 1080P ' }))).toBe('1080p');
    expect(choose(usual, generic({ size: '1920x1080' }))).toBe('1080p');
    expect(choose({ own: '0.2', '1920x1080': '0.5' }, generic({ size: '1920x1080' }))).toBe('1920x1080');
    expect(choose(usual, native({}))).toBeUndefined();
  });

  it.each(['4k', '1440p', '1081p', 'uhd'])('that is above every variant does not exist: %s', (resolution) => {
    const choice = () => choose(usual, native({ resolution }));
    expect(choice).toThrow(expect.objectContaining({ code: 'model_not_priced', param: 'resolution' }));
  });

  it('between two variants is that of the larger one', () => {
    expect(choose(usual, native({ resolution: '900p' }))).toBe('1080p');
    expect(choose(usual, generic({ size: '1440x900' }))).toBe('1080p');
    expect(
      choose({ own: '0.9', '480p': '0.1', '720p': '0.2' }, native({ resolution: '540p' })),
    ).toBeUndefined();
  });

  it('below every variant, and beside none, is the own one', () => {
    expect(choose({ own: '0.1', '1080p': '0.5' }, native({ resolution: '720p' }))).toBeUndefined();
    expect(choose({ own: '0.1' }, native({ resolution: '4k' }))).toBeUndefined();
  });

  it('above every variant is the own one where that is more expensive than all of them', () => {
    expect(
      choose({ own: '0.9', '480p': '0.1', '720p': '0.2' }, native({ resolution: '1080p' })),
    ).toBeUndefined();
  });
});

describe('H5: the price of a source video', () => {
  it('is a variant of its own, or the order is refused', () => {
    const choice = () => choose({ own: '0.2', '720p': '0.2' }, native({}, VIDEO));
    expect(choice).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'content[1]' }));
    expect(choose({ own: '0.2', video: '0.6' }, native({ resolution: '720p' }, VIDEO))).toBe('video');
    const both = { own: '0.2', video: '0.6', '1080p/video': '0.9' };
    expect(choose(both, native({ resolution: '1080P' }, VIDEO))).toBe('1080p/video');
    expect(choose(both, native({ resolution: '1080p' }))).toBeUndefined();
  });
});
