import type { Catalog, Task } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { makeChannel } from '../../testing/small-gateway.js';
import { readRemixCall } from './remix-call.js';

const CHANNEL = makeChannel('sora', { type: 'openai', apiKeys: ['k'] });
const SOURCE = {
  publicId: 'task_1',
  model: 'm',
  state: 'succeeded',
  seconds: 8,
  priceVariant: '1080p',
  channelId: CHANNEL.id,
  keyHash: 'hash',
  upstreamId: 'video_1',
  upstreamModel: 'm',
} as Task;
const catalogOf = (channel = CHANNEL): Catalog => ({
  version: 1,
  models: new Map(),
  channelsBySlug: new Map([['m', [makeChannel('other', { type: 'openai' }), channel]]]),
});
const remix = (source: Partial<Task> = {}, catalog = catalogOf(), body: object = { prompt: 'a cat' }) =>
  readRemixCall(Buffer.from(JSON.stringify(body)), { ...SOURCE, ...source }, catalog);
const refusal = (code: string, param?: string) => expect.objectContaining(param ? { code, param } : { code });

describe('a remix', () => {
  it('is as long and as dear as its source, and goes where that was made', () => {
    expect(remix()).toMatchObject({
      model: 'm',
      seconds: 8,
      variants: ['1080p'],
      height: 1080,
      order: {
        prompt: 'a cat',
        seconds: 8,
        remixOf: { videoId: 'task_1', jobId: 'video_1', channelId: CHANNEL.id, keyHash: 'hash' },
      },
    });
    expect(remix({ priceVariant: undefined })).toMatchObject({ variants: [], height: undefined });
  });

  it.each(['created', 'submit_unknown', 'running', 'failed', 'expired', 'cancelled'] as const)(
    'is not made of a video that is %s',
    (state) => {
      expect(() => remix({ state })).toThrow(refusal('invalid_request', 'video_id'));
    },
  );

  it.each([
    ['prompt', {}],
    ['prompt', { prompt: ' ' }],
    ['seconds', { prompt: 'a cat', seconds: '12' }],
    ['model', { prompt: 'a cat', model: 'dearer' }],
    ['size', { prompt: 'a cat', size: '1920x1080' }],
    ['Prompt', { prompt: 'a cat', Prompt: 'a dog' }],
  ])('is refused by the name of the field: %s', (param, body) => {
    expect(() => remix({}, catalogOf(), body)).toThrow(refusal('invalid_request', param));
  });

  it('is refused where its channel makes none, and waits for a channel that is away', () => {
    const other = makeChannel('kling', { type: 'kling', apiKeys: ['k'] });
    expect(() => remix({ channelId: other.id }, catalogOf(other))).toThrow(
      refusal('invalid_request', 'video_id'),
    );
    expect(() => remix({ channelId: 'gone' })).toThrow(refusal('upstream_unavailable'));
  });
});
