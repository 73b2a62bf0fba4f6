import { readImageEditForm, readImageGeneration, readImageVariation } from '@mg/protocols';
import { expect, it } from 'vitest';
import { buildOutgoing, chooseExchange, findBaseUrl } from './build-outgoing.js';
import type { Settings } from './signing.js';
import { findProvider } from './registry.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

interface Sent {
  readonly path: string;
  readonly body: string;
}

/** Where a request for images goes, and what it becomes. */
async function send(
  type: string,
  model: string,
  task: 'generate' | 'edit',
  settings: Settings = {},
): Promise<Sent> {
  const provider = findProvider(type);
  const asked = {
    model: 'slug',
    prompt: 'a fox',
    size: '1024x1536',
    response_format: 'b64_json',
    style: 'vivid',
  };
  const exchange =
    task === 'generate'
      ? readImageGeneration(Buffer.from(JSON.stringify(asked)))
      : readImageEditForm([
          ...Object.entries(asked).map(([name, value]) => ({ name, bytes: Buffer.from(value) })),
          { name: 'image', filename: 'a.png', contentType: 'image/png', bytes: PNG },
        ]);
  const surface =
    provider && chooseExchange(provider, exchange.operation, model, exchange.protocol, settings);
  if (!provider || !surface) throw new Error(`${type} makes no images`);
  const { bodies } = exchange.prepare({
    protocol: surface.protocol,
    model,
    channelType: type,
    traits: surface.traits?.(model, settings) ?? {},
    dropped: { add: () => undefined },
  });
  const [body] = bodies;
  if (!body) throw new Error('nothing is asked');
  const baseUrl = findBaseUrl(provider, undefined, settings) ?? 'https://host.example';
  const request = await buildOutgoing(
    {
      provider,
      surface: { ...surface, sign: (it) => it },
      baseUrl,
      call: { model, stream: false, settings },
      body,
      passedHeaders: {},
    },
    { apiKey: 'key', settings, nowMs: 0, obtainToken: () => Promise.reject(new Error('none')) },
  );
  const text = request.body.toString('latin1');
  const isForm = body.contentType.startsWith('multipart/');
  return {
    path: request.url.pathname + request.url.search,
    body: isForm ? [...text.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name).join(' ') : text,
  };
}

it.each<[string, string, Settings?]>([
  ['openai', 'gpt-image-1.5'],
  ['openai', 'dall-e-3'],
  ['azure-openai', 'gpt-image-1', { api_version: '2025-04-01-preview' }],
  ['azure-openai', 'gpt-image-1', { api_version: 'v1' }],
  ['openai-compatible', 'any'],
  ['xai', 'grok-imagine-image'],
  ['togetherai', 'black-forest-labs/FLUX.1-schnell'],
  ['volcengine', 'doubao-seedream-4-5-251128'],
  ['gemini', 'gemini-3.1-flash-image'],
  ['vertex', 'gemini-3-pro-image', { project: 'acme', location: 'global' }],
])('%s is asked for images by %s as it wants', async (type, model, settings) => {
  expect(await send(type, model, 'generate', settings)).toMatchSnapshot();
});

it.each<[string, string, Settings?]>([
  ['openai', 'gpt-image-1.5'],
  ['azure-openai', 'gpt-image-1', { api_version: '2025-04-01-preview' }],
  ['openai-compatible', 'any'],
  ['xai', 'grok-imagine-image'],
  ['volcengine', 'doubao-seedream-4-5-251128'],
  ['gemini', 'gemini-3.1-flash-image'],
])('%s is asked to edit an image by %s as it wants', async (type, model, settings) => {
  expect(await send(type, model, 'edit', settings)).toMatchSnapshot();
});

it.each([
  ['openai', 'dall-e-2', true],
  ['openai', 'gpt-image-1.5', false],
  ['openai-compatible', 'any', true],
  ['sandbox', 'sandbox-image', true],
  ['azure-openai', 'dall-e-3', false],
  ['xai', 'grok-imagine-image', false],
  ['gemini', 'gemini-3.1-flash-image', false],
])('%s makes variations by %s: %s', (type, model, does) => {
  const { operation, protocol } = readImageVariation([
    { name: 'model', bytes: Buffer.from('slug') },
    { name: 'image', filename: 'a.png', contentType: 'image/png', bytes: PNG },
  ]);
  const provider = findProvider(type);
  expect(provider && chooseExchange(provider, operation, model, protocol, {}) !== undefined).toBe(does);
});
