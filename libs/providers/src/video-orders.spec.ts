import { createHmac } from 'node:crypto';
import { GatewayError } from '@mg/contract';
import type { JsonObject, VideoOrder } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { findBaseUrl } from './build-outgoing.js';
import { findJobEndpoint } from './find-job-endpoint.js';
import type { JobCall, JobOrder, JobRequest, JobSurface } from './job-surface.js';
import { findProvider } from './registry.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const FIRST = 'https://pictures.example/first.png';
const LAST = 'https://pictures.example/last.png';
const INLINE = 'data:image/png;base64,aGVsbG8=';

function callOf(type: string, model: string, change: Partial<JobCall> = {}): JobCall {
  const provider = findProvider(type);
  const baseUrl = provider && findBaseUrl(provider, undefined, {});
  return {
    model,
    baseUrl: baseUrl ?? 'http://simulated.invalid/v1',
    settings: {},
    apiKey: 'the-key',
    nowMs: NOW,
    obtainToken: async () => 'a-token',
    reference: 'task-1',
    media: new Map([FIRST, LAST].map((url) => [url, { mimeType: 'image/png', bytes: Buffer.from(url) }])),
    ...change,
  };
}

function findSurface(type: string, model: string): JobSurface {
  const surface = findProvider(type)?.jobs?.find((jobs) => jobs.serves?.(model) ?? true);
  if (!surface) throw new Error(`${type} makes no videos of ${model}`);
  return surface;
}

async function submit(
  type: string,
  model: string,
  change: Partial<VideoOrder>,
  call: Partial<JobCall> = {},
): Promise<JobRequest> {
  const order: JobOrder = { apiVariant: 'generic', order: { prompt: 'a river', seconds: 5, ...change } };
  return findSurface(type, model).submit(order, callOf(type, model, call));
}

/** A body as it leaves: JSON, or the fields of a form with the size of its files. */
async function readBody({ headers, body = {} }: JobRequest): Promise<unknown> {
  if (!Buffer.isBuffer(body)) return JSON.parse(JSON.stringify(body));
  if (!headers['content-type']?.startsWith('multipart/')) return JSON.parse(body.toString());
  const form = await new Response(Uint8Array.from(body), { headers: { ...headers } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.name} ${value.type} ${value.size} bytes`,
    ]),
  );
}

async function show(request: JobRequest): Promise<unknown> {
  const own = Object.entries(request.headers).filter(
    ([name]) => !['accept', 'user-agent', 'content-type'].includes(name),
  );
  return {
    to: `${request.method} ${request.url.href}`,
    headers: Object.fromEntries(own),
    body: await readBody(request),
    dropped: request.dropped ?? [],
  };
}

const FULL = { seed: 7, fps: 24, negativePrompt: 'rain', extra: { own_field: true } } as const;
const LARGE = { size: { width: 1920, height: 1080 } } as const;
const FRAMES = { image: FIRST, lastImage: LAST } as const;

/** One order or more for each way a provider takes them. */
const ORDERS: readonly (readonly [type: string, model: string, order: Partial<VideoOrder>])[] = [
  [
    'videonative',
    'doubao-seedance-2-0-260128',
    { ...FULL, ratio: '9:16', resolution: '1080P', audio: false },
  ],
  ['videonative', 'doubao-seedance-1-0-pro-250528', FRAMES],
  ['videonative', 'ep-20260101', { referenceImages: [FIRST, INLINE], seconds: 40 }],
  ['openai', 'sora-2', { ...FULL, seconds: 8, size: { width: 1280, height: 720 }, audio: false }],
  ['openai', 'sora-2', { seconds: 4, image: INLINE, ratio: '9:16' }],
  ['openai', 'house-model', { seconds: 7, image: FIRST, size: { width: 640, height: 640 } }],
  ['gemini', 'veo-3.1-generate-preview', { ...FULL, ...FRAMES, seconds: 8, ratio: '16:9', resolution: '4k' }],
  ['gemini', 'veo-3.1-generate-preview', { seconds: 8, referenceImages: [INLINE], audio: false }],
  ['kling', 'kling-v2-6', { ...FULL, ratio: '1:1', resolution: '1080p', audio: true }],
  ['kling', 'kling-v3', { image: INLINE, lastImage: LAST, seconds: 15 }],
  ['kling', 'kling-v1-6', { referenceImages: [FIRST, INLINE], seconds: 10 }],
  ['minimax', 'MiniMax-Hailuo-2.3', { ...FULL, ...FRAMES, seconds: 6, resolution: '1080p' }],
  ['minimax', 'S2V-01', { seconds: 6, referenceImages: [FIRST] }],
  ['runway', 'gen4.5', { ...FULL, ratio: '9:16' }],
  ['runway', 'veo3.1', { ...FRAMES, seconds: 8, resolution: '1080p', audio: false }],
  ['dashscope', 'wan2.7-t2v', { ...FULL, ratio: '9:16', resolution: '720p', audio: true }],
  ['dashscope', 'wan2.7-i2v', FRAMES],
  ['dashscope', 'wan2.6-t2v', { size: { width: 1080, height: 1920 } }],
  ['dashscope', 'wan2.6-t2v', { ratio: '1:1' }],
  ['dashscope', 'wan2.6-i2v', { image: FIRST, resolution: '1080p' }],
  ['dashscope', 'wan2.2-kf2v-flash', FRAMES],
  ['fal', 'fal-ai/veo3.1', { ...FULL, seconds: 8, ratio: '16:9', audio: false }],
  ['fal', 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video', FRAMES],
  ['replicate', 'google/veo-3.1', { ...FULL, ...FRAMES, seconds: 8, resolution: '720p' }],
  ['replicate', 'kwaivgi/kling-v2.5-turbo-pro', FRAMES],
  ['replicate', 'acme/clips:0123abcd', { image: FIRST }],
];

describe('orders as they leave', () => {
  it.each(ORDERS)('%s: %s takes %j', async (type, model, order) => {
    expect(await show(await submit(type, model, order))).toMatchSnapshot();
  });

  it.each(['videonative', 'openai'])('%s names no hint as left out where none was', async (type) => {
    const { dropped } = await submit(type, 'house-model', {});
    expect(dropped).toBeUndefined();
  });

  it('the native body goes as it came, but for the model and the callback', async () => {
    const body: JsonObject = {
      model: 'public-name',
      content: [
        { type: 'text', text: 'a river --dur 5' },
        { type: 'draft_task', draft_task: { id: 'x' } },
      ],
      seed: 0,
      watermark: false,
      callback_url: 'https://caller.example/hook',
      of_tomorrow: { kept: [1, null] },
    };
    const { callback_url: _, ...rest } = body;
    const call = callOf('videonative', 'ep-1');
    const request = await findSurface('videonative', 'ep-1').submit({ apiVariant: 'native', body }, call);
    expect(await readBody(request)).toEqual({ ...rest, model: 'ep-1' });
    expect(request.dropped).toBeUndefined();
  });
});

describe('what a provider cannot do', () => {
  it.each<[type: string, model: string, order: Partial<VideoOrder>, param: string, allowed: string]>([
    ['videonative', 'doubao-seedance-1-0-pro', { seconds: 13 }, 'duration', '2 to 12'],
    ['videonative', 'doubao-seedance-2-0', { seconds: 3 }, 'duration', '4 to 15'],
    ['videonative', 'doubao-seedance-2-0', { ratio: '5:4' }, 'ratio', '16:9, 4:3'],
    ['videonative', 'doubao-seedance-2-0', { resolution: '999p' }, 'resolution', '480p, 720p'],
    ['videonative', 'doubao-seedance-1-0-pro', { audio: true }, 'audio', 'no sound'],
    ['videonative', 'm', { prompt: 'a river --resolution 1080p' }, 'prompt', 'fields'],
    ['videonative', 'm', { image: FIRST, referenceImages: [LAST] }, 'images', 'either'],
    ['videonative', 'm', { lastImage: LAST }, 'last_frame', 'beside a first'],
    ['openai', 'sora-2', { seconds: 5 }, 'duration', '4, 8, 12'],
    ['openai', 'sora-2', { seconds: 8, ratio: '1:1' }, 'ratio', '16:9, 9:16'],
    ['openai', 'sora-2', { seconds: 8, resolution: '480p' }, 'resolution', '720p'],
    ['openai', 'sora-2', { seconds: 8, size: { width: 1, height: 1 } }, 'size', '1280x720'],
    ['openai', 'sora-2', { seconds: 8, lastImage: LAST }, 'last_frame', 'no such field'],
    ['openai', 'sora-2', { seconds: 8, image: 'https://elsewhere.example/a.png' }, 'image', 'bytes'],
    ['gemini', 'veo-3.1', { seconds: 5 }, 'duration', '4, 6, 8'],
    ['gemini', 'veo-3.1', { seconds: 8, ratio: '1:1' }, 'ratio', '16:9, 9:16'],
    ['gemini', 'veo-3.1', { seconds: 8, referenceImages: Array(4).fill(INLINE) }, 'images', 'at most 3'],
    ['kling', 'kling-v2-6', { seconds: 6 }, 'duration', '5, 10'],
    ['kling', 'kling-v3', { seconds: 16 }, 'duration', '3 to 15'],
    ['kling', 'kling-v2-6', { resolution: '480p' }, 'resolution', '720p, 1080p'],
    ['kling', 'kling-v2-1', { audio: true }, 'audio', 'no sound'],
    ['minimax', 'MiniMax-Hailuo-02', { seconds: 5 }, 'duration', '6, 10'],
    ['minimax', 'MiniMax-Hailuo-02', { seconds: 6, ratio: '9:16' }, 'ratio', '16:9'],
    ['minimax', 'MiniMax-Hailuo-02', { seconds: 6, size: { width: 8, height: 8 } }, 'size', 'no such'],
    ['openai', 'sora-2', { ...LARGE, seconds: 8, resolution: '720p' }, 'resolution', '1080p'],
    ['openai', 'house-model', { ...LARGE, resolution: '480p' }, 'resolution', '1080p'],
    ['dashscope', 'wan2.6-t2v', { ...LARGE, ratio: '9:16' }, 'ratio', '16:9'],
    ['runway', 'gen4.5', { seconds: 11 }, 'duration', '2 to 10'],
    ['runway', 'gen4.5', { resolution: '1080p' }, 'resolution', '720p'],
    ['runway', 'gen4.5', { referenceImages: [FIRST] }, 'images', 'no such field'],
    ['dashscope', 'wan2.6-t2v', { seconds: 16 }, 'duration', '2 to 15'],
    ['dashscope', 'wan2.6-i2v', FRAMES, 'last_frame', 'no last frame'],
    ['fal', 'fal-ai/veo3.1', { referenceImages: [FIRST] }, 'images', 'no such field'],
    ['replicate', 'google/veo-3.1', { lastImage: LAST }, 'last_frame', 'beside a first'],
  ])('%s: %s refuses %j', async (type, model, order, param, allowed) => {
    const refused = await submit(type, model, order).catch((error: unknown) => error);
    if (!(refused instanceof GatewayError)) throw new Error('the order was taken');
    expect(refused).toMatchObject({ code: 'invalid_request', param });
    expect(refused.message).toContain(allowed);
  });

  it('a size that differs from its neighbours is refused', async () => {
    const size = { width: 1280, height: 720 };
    await expect(submit('kling', 'kling-v3', { size, ratio: '9:16' })).rejects.toMatchObject({
      param: 'ratio',
    });
    await expect(submit('kling', 'kling-v3', { size, resolution: '1080p' })).rejects.toMatchObject({
      param: 'resolution',
    });
  });

  it('fields of the provider never change those that are mapped', async () => {
    const extra = { duration: '10', model_name: 'dearer', external_task_id: 'another' };
    const body = await readBody(await submit('kling', 'kling-v3', { extra }));
    expect(body).toMatchObject({ duration: '5', model_name: 'kling-v3', external_task_id: 'task-1' });
  });
});

describe('images', () => {
  it.each(['openai', 'gemini'])('%s asks for the bytes behind addresses, and only those', (type) => {
    const surface = findSurface(type, 'veo-3.1');
    const order: VideoOrder = { prompt: 'x', seconds: 8, image: FIRST, lastImage: INLINE };
    expect(surface.listMedia?.({ apiVariant: 'generic', order })).toEqual([FIRST]);
  });

  const picture = Buffer.alloc(3 * 1024 * 1024, 'a picture of megabytes ');
  const standard = `data:image/png;base64,${picture.toString('base64')}`;
  const forUrls = `data:image/png;base64,${picture.toString('base64url')}`;

  it.each([
    ['gemini', 'veo-3.1', standard, picture.toString('base64')],
    ['gemini', 'veo-3.1', forUrls, picture.toString('base64')],
    ['gemini', 'veo-3.1', FIRST, picture.toString('base64')],
    ['openai', 'sora-2', standard, picture],
    ['openai', 'sora-2', FIRST, picture],
  ])('C1: of megabytes are written in steps: %s, %s (%#)', async (type, model, image, written) => {
    let pauses = 0;
    const pause = async () => void pauses++;
    const media = new Map([[FIRST, { mimeType: 'image/png', bytes: picture }]]);
    const { body } = await submit(type, model, { seconds: 4, image }, { media, pause });
    expect(Buffer.isBuffer(body) && body.includes(written)).toBe(true);
    expect(pauses).toBeGreaterThanOrEqual(5);
  });

  it('providers that fetch by themselves are not asked', () => {
    const types = ['videonative', 'kling', 'minimax', 'runway', 'dashscope', 'fal', 'replicate'];
    expect(types.filter((type) => findSurface(type, 'm').listMedia)).toEqual([]);
  });
});

describe('credentials', () => {
  it('Kling gets a token of half an hour, signed with the secret key', async () => {
    const { headers } = await submit('kling', 'kling-v3', {}, { apiKey: 'access|secret' });
    const [head = '', claims = '', signature] = (headers.authorization ?? '')
      .replace('Bearer ', '')
      .split('.');
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decode(claims)).toEqual({ iss: 'access', exp: NOW / 1_000 + 1_800, nbf: NOW / 1_000 - 5 });
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'));
  });

  it('go to no other server than the channel’s, whatever addresses a provider reports', async () => {
    const elsewhere = 'https://elsewhere.example/v1/predictions/1';
    const replicate = findSurface('replicate', 'google/veo-3.1');
    const call = callOf('replicate', 'google/veo-3.1');
    const job = { id: 'p1', data: { urls: { get: elsewhere } } };
    const asked = await replicate.poll(job, call);
    expect(asked.url.href).toBe('https://api.replicate.com/v1/predictions/p1');
    const fal = findSurface('fal', 'fal-ai/veo3.1');
    const answer = { id: 'r1', data: { status_url: elsewhere } };
    expect(() => fal.poll(answer, callOf('fal', 'fal-ai/veo3.1'))).toThrow('status_url');
    for (const type of ['openai', 'gemini']) {
      const surface = findSurface(type, 'veo-3.1');
      const download = await surface.download?.({ url: elsewhere, needsKey: true }, callOf(type, 'veo-3.1'));
      expect(JSON.stringify(download?.headers)).not.toContain('the-key');
    }
  });
});

it('a channel with an address of its own is found under its version path', () => {
  const channel = { type: 'kling', baseUrl: 'https://proxy.example/kling/', settings: {} };
  expect(findJobEndpoint(channel as never, 'kling-v3', 'generic')?.baseUrl).toBe(
    'https://proxy.example/kling/v1',
  );
  expect(findJobEndpoint(channel as never, 'kling-v3', 'native')).toBeUndefined();
});
