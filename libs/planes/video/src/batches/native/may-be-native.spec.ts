import type { Catalog, Channel, Model } from '@mg/contract';
import { expect, it } from 'vitest';
import { mayBeNative } from './may-be-native.js';

const CHATS = '/v1/chat/completions';
const NATIVE = {
  type: 'openai',
  baseUrl: undefined,
  settings: {},
  apiKeys: ['k'],
  batches: 'native',
} as unknown as Channel;
const CALLED = { ...NATIVE, batches: 'gateway' } as const;
const catalog = buildCatalog({ native: [CALLED, NATIVE], called: [CALLED], idle: [] });

function buildCatalog(channels: Readonly<Record<string, readonly Channel[]>>): Catalog {
  const slugs = Object.keys(channels);
  return {
    version: 1,
    models: new Map(slugs.map((slug) => [slug, { slug } as Model])),
    channelsBySlug: new Map(Object.entries(channels)),
  };
}

it.each([
  ['the slug of a model with such a channel', CHATS, '{"model":"native"}'],
  ['an alias, or a name that leads to the default model of its key', CHATS, '{"model":"gpt-latest"}'],
  ['no model', CHATS, '{"messages":[]}'],
  ['a model that is no text', CHATS, '{"model":["called"]}'],
  ['nothing that can be read', CHATS, '{"model":"called"'],
  ['its model in a line too long to be read', CHATS, `{"model":"called","user":"${'x'.repeat(70_000)}"}`],
  ['the slug in its path', '/v1beta/models/native:generateContent', '{"model":"called"}'],
  ['an unknown name in its path', '/v1beta/models/call%65d:generateContent', '{}'],
])('the gateway is asked about a line that names %s', (_what, endpoint, body) =>
  expect(mayBeNative({ endpoint, body: Buffer.from(body) }, catalog)).toBe(true),
);

it.each([
  ['the slug of a model without such a channel', CHATS, '{"model":"called"}'],
  ['the slug of a model without channels', CHATS, '{"model":"idle"}'],
  ['its slug in its path', '/v1beta/models/called:generateContent', '{}'],
])('a line that names %s is a call', (_what, endpoint, body) =>
  expect(mayBeNative({ endpoint, body: Buffer.from(body) }, catalog)).toBe(false),
);

it('every line is a call where no channel has batches of its provider', () =>
  expect(mayBeNative({ endpoint: CHATS, body: Buffer.from('{}') }, buildCatalog({ called: [CALLED] }))).toBe(
    false,
  ));
