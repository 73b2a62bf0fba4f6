import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { readCpuMs } from '../testing/cpu-time.js';
import { readGenericVideoRequest } from './read-generic-request.js';
import { readNativeVideoRequest } from './read-native-request.js';

const IMAGE = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

function order(fields: object, ...texts: string[]) {
  const content = texts.map((text) => ({ type: 'text', text }));
  return readNativeVideoRequest(Buffer.from(JSON.stringify({ model: 'm', content, ...fields })));
}

function paramOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return 'nothing was refused';
}

describe('H5: what is said of a native video', () => {
  it.each<[fields: object, texts: string[], param: string]>([
    [{ duration: 15, frames: 29 }, ['a cat'], 'frames'],
    [{ duration: 15 }, ['a cat --frames 29'], 'frames'],
    [{ frames: 29 }, ['a cat --dur 15'], 'frames'],
    [{}, ['a cat --dur 4 --dur 15'], 'duration'],
    [{}, ['a cat --dur 4 --duration 15'], 'duration'],
    [{}, ['a cat --dur 5 --dur 5'], 'duration'],
    [{}, ['a cat --dur 4', 'a dog --dur 15'], 'duration'],
    [{ duration: 4 }, ['a cat --dur 15'], 'duration'],
    [{ duration: 4 }, ['a cat --DUR\t15'], 'duration'],
    [{ resolution: '480p' }, ['a cat --rs 1080p'], 'resolution'],
    [{}, ['a cat --rs 480p --resolution 1080p'], 'resolution'],
    [{ ratio: '1:1' }, ['a cat --rt 16:9'], 'ratio'],
    [{ seed: 1 }, ['a cat --seed 2'], 'seed'],
    [{ watermark: false }, ['a cat --wm true'], 'watermark'],
    [{ camera_fixed: true }, ['a cat --cf false'], 'camera_fixed'],
  ])('%j with %j is refused when it is said twice, for %s', (fields, texts, param) => {
    expect(paramOf(() => order(fields, ...texts))).toBe(param);
  });

  it.each([
    ['a cat --dur 15'],
    ['a cat --dur\t15'],
    ['a cat --dur\u00a015'],
    ['a cat --dur\u300015'],
    ['a cat --DUR 15'],
    ['a cat --Duration=15'],
    ['a cat --dur:15'],
    ['a cat --dur15'],
    ['a cat\n---dur   15\n'],
    ['a cat --d\u0055r 15'],
  ])('%j is sent as a field and no longer as text', (text) => {
    const { body, seconds } = order({}, text);
    expect(seconds).toBe(15);
    expect(body.duration).toBe(15);
    expect(JSON.stringify(body.content)).not.toMatch(/dur/i);
    expect(JSON.stringify(body.content)).toContain('a cat');
  });

  it('every option becomes its field, and the rest of the text stays', () => {
    const text =
      'a cat --rs 1080P --rt 16:9 --dur 12 walks --fps 24 --seed -1 --cf false --wm TRUE --style anime';
    const { body, seconds, resolution } = order({ keep: 0 }, text, 'at night');
    expect([seconds, resolution]).toEqual([12, '1080p']);
    expect(body).toEqual({
      model: 'm',
      keep: 0,
      content: [
        { type: 'text', text: 'a cat walks --style anime' },
        { type: 'text', text: 'at night' },
      ],
      resolution: '1080p',
      ratio: '16:9',
      duration: 12,
      seed: -1,
      camera_fixed: false,
      watermark: true,
    });
    const content = [IMAGE, { type: 'text', text: '--dur 6' }];
    expect(order({ content }).body).toMatchObject({ content: [IMAGE], duration: 6 });
  });

  it.each([
    ['a cat --dur'],
    ['a cat --dur long'],
    ['a cat --dur --rs 480p 15'],
    ['a cat --wm maybe'],
    ['a cat \uff0d\uff0ddur 15'],
    ['a cat \u2014dur 15'],
    ['a cat -\u200b-dur 15'],
    ['a cat --d\u200bur 15'],
    ['a cat --\uff44\uff55\uff52 15'],
    ['a cat --dur\u200b 15'],
  ])('%j is refused as unclear', (text) => {
    expect(paramOf(() => order({}, text))).toBe('content[0].text');
  });

  it.each([
    ['a house \u2014 duration is what it lacks'],
    ['well-framed, high-resolution'],
    ['--ar 16:9 --v 6'],
  ])('%j is a prompt like any other', (text) => {
    expect(order({}, text).body.content).toEqual([{ type: 'text', text }]);
  });

  it.each<[object, string]>([
    [{ Duration: 15 }, 'Duration'],
    [{ 'dura\u0074ion ': 15 }, 'duration '],
    [{ dur: 15 }, 'dur'],
    [{ seconds: 15 }, 'seconds'],
    [{ RESOLUTION: '4k' }, 'RESOLUTION'],
    [{ Callback_URL: 'https://example.com' }, 'Callback_URL'],
    [{ cameraFixed: true }, 'cameraFixed'],
    [{ metadata: { duration: 15 } }, 'metadata.duration'],
    [{ metadata: { Resolution: '4k' } }, 'metadata.Resolution'],
    [{ metadata: { model: 'dearer' } }, 'metadata.model'],
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ service_tier: 1 }, 'service_tier'],
    [{ framespersecond: 60 }, 'framespersecond'],
    [{ generate_audio: 'yes' }, 'generate_audio'],
    [{ draft: 'no' }, 'draft'],
    [{ tools: [{ type: 'web_search' }] }, 'tools'],
    [{ content: [{ type: 'draft_task', draft_task: { id: 'cgt-1' } }] }, 'content[0]'],
  ])('%j is refused for %s', (fields, param) => {
    expect(paramOf(() => order(fields, 'a cat'))).toBe(param);
  });

  it.each([{ service_tier: 'flex' }, { generate_audio: false }, { draft: true }, { framespersecond: 24 }])(
    '%j reaches the provider',
    (fields) => {
      expect(order(fields, 'a cat').body).toMatchObject(fields);
    },
  );

  it('a megabyte of signs that begin options is read in no time', () => {
    const start = readCpuMs();
    for (const sign of ['-', ' ', '--dur ', '--', '\u2014', '\u200b']) {
      const text = sign.repeat(Math.floor(32_000 / sign.length));
      try {
        order({}, text);
      } catch {
        // Whether it is refused does not matter here.
      }
    }
    expect(readCpuMs() - start).toBeLessThan(1_000);
  });
});

describe('H5: what is said of a generic video', () => {
  const generic = (fields: object) =>
    readGenericVideoRequest(Buffer.from(JSON.stringify({ model: 'm', prompt: 'a cat', ...fields })));

  it.each<[object, string]>([
    [{ Duration: 60 }, 'Duration'],
    [{ DURATION_SECONDS: 60 }, 'DURATION_SECONDS'],
    [{ video_length: 60 }, 'video_length'],
    [{ num_frames: 900 }, 'num_frames'],
    [{ frame_rate: 60 }, 'frame_rate'],
    [{ N: 4 }, 'N'],
    [{ number_of_videos: 4 }, 'number_of_videos'],
    [{ Resolution: '4k' }, 'Resolution'],
    [{ metadata: { parameters: { durationSeconds: 60 } } }, 'metadata.parameters.durationSeconds'],
    [{ extra: { inputs: [{ quality: 'high' }] } }, 'extra.inputs[0].quality'],
    [{ metadata: { upscale: true } }, 'metadata.upscale'],
    [{ motion_mode: 'fast' }, 'motion_mode'],
    [{ extra: { video_url: 'https://example.com/v.mp4' } }, 'extra.video_url'],
    [{ serviceTier: 'priority' }, 'serviceTier'],
    [{ audio: false, generate_audio: true }, 'generate_audio'],
    [{ ratio: '1:1', aspect_ratio: '16:9' }, 'aspect_ratio'],
    [{ size: '1280x720', width: 1920, height: 1080 }, 'size'],
  ])('%j is refused for %s', (fields, param) => {
    expect(paramOf(() => generic(fields))).toBe(param);
  });

  it('fields that do not decide on the price go along', () => {
    const extra = {
      camera_control: { type: 'simple' },
      watermark: false,
      cfg_scale: 0.5,
      person_generation: 'x',
    };
    expect(generic({ metadata: extra }).order.extra).toEqual(extra);
  });
});
