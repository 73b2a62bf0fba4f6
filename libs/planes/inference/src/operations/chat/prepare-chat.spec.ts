import { GatewayError } from '@mg/contract';
import { type ClientProtocolName, findChatProtocol, type ModelTraits, type TraitsOf } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import { ChatRequest } from './chat-request.js';
import { type HeldChat, prepareChat } from './prepare-chat.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];

/** What a channel is prepared to be sent of a client's request. */
async function prepare(
  client: ClientProtocolName,
  fields: object,
  protocol: string,
  { keepsNothing = false, ...traits }: ModelTraits & { readonly keepsNothing?: boolean },
) {
  const body = Buffer.from(JSON.stringify({ model: 'slug', ...fields }));
  const address = { model: 'slug', method: 'generateContent', query: {} };
  const { envelope } = findChatProtocol(client).readCall(body, address);
  const request = new ChatRequest(client, envelope, body, {});
  const endpoint = { surface: { protocol, operation: 'chat' }, traits, provider: {}, baseUrl: 'http://a' };
  const attempt = { channel: { type: 'some-channel' }, upstreamModel: 'slug', reason: '' };
  const hold = { cap: undefined, toolUses: undefined, demand: { tools: [] }, unpriced: [] };
  const call = { request, hold, keepsNothing };
  return prepareChat(
    endpoint as unknown as ChatEndpoint,
    attempt as unknown as Parameters<typeof prepareChat>[1],
    call as unknown as HeldChat,
    { enabled: false, allowPrivate: false },
  );
}

/** What the upstream of a channel is sent, or the name of the field that the channel does not take. */
async function send(
  fields: object,
  protocol: string,
  traits: TraitsOf<'openai-chat'>,
): Promise<string | undefined> {
  try {
    const prepared = await prepare('openai-chat', { messages: MESSAGES, ...fields }, protocol, traits);
    return prepared.dropped ? `dropped ${prepared.dropped.toString()}` : prepared.body.toString();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.param;
    throw error;
  }
}

describe('H1: fields that choose another model behind the channel', () => {
  it.each([
    ['models', { models: ['big'] }],
    ['provider', { provider: { order: ['dear'] } }],
    ['plugins', { plugins: [{ id: 'web' }] }],
    ['fallbacks', { fallbacks: ['big'] }],
    ['api_base', { api_base: 'http://mine' }],
  ])('are refused as %s where the channel does not allow them', async (param, fields) => {
    expect(await send(fields, 'openai-chat', {})).toBe(param);
    // The same protocol by the other lane, for a server that answers oddly.
    expect(await send(fields, 'openai-chat', { needsResponseConversion: true })).toBe(param);
  });

  it('go out where the channel allows them, and are left out by name where another protocol is spoken', async () => {
    const fields = { models: ['big'], route: null };
    expect(await send(fields, 'openai-chat', { allowsUpstreamRouting: true })).toContain('"models":["big"]');
    expect(await send({ models: ['big'] }, 'anthropic-messages', { maxOutputTokens: 5 })).toBe(
      'dropped models',
    );
  });

  it('do no harm when they say nothing', async () => {
    expect(await send({ models: null }, 'openai-chat', {})).toContain('"models":null');
  });
});

describe('a file in a request that is short enough to be converted in one step', () => {
  const text = 'a,b;c? '.repeat(43_000);
  const base64 = Buffer.from(text).toString('base64');
  const inlineData = (mimeType: string) => ({
    contents: [
      { role: 'user', parts: [{ inlineData: { mimeType, data: Buffer.from(text).toString('base64url') } }] },
    ],
  });
  const content = [{ type: 'input_file', filename: 'a.txt', file_data: `data:text/plain;base64,${base64}` }];

  it.each<[string, ClientProtocolName, object, string, string]>([
    ['its standard base64', 'gemini-generate', inlineData('application/pdf'), 'anthropic-messages', base64],
    ['its text', 'gemini-generate', inlineData('text/plain'), 'anthropic-messages', text],
    ['its text', 'openai-responses', { input: [{ role: 'user', content }] }, 'openai-chat', text],
    ['its base64', 'openai-responses', { input: [{ role: 'user', content }] }, 'gemini-generate', base64],
  ])('goes out as %s, from %s', async (_, client, fields, protocol, expected) => {
    const { body } = await prepare(client, fields, protocol, { maxOutputTokens: 5 });
    expect(body.toString().includes(expected)).toBe(true);
  });
});

describe('a chat completion of a key that nothing is kept of', () => {
  it.each([{}, { needsResponseConversion: true }])('asks for nothing to be stored (%o)', async (traits) => {
    const ask = async (settings: object, keepsNothing: boolean) => {
      const fields = { messages: MESSAGES, ...settings };
      const { body } = await prepare('openai-chat', fields, 'openai-chat', { ...traits, keepsNothing });
      return JSON.parse(body.toString()) as unknown;
    };
    expect(await ask({ store: true }, true)).toMatchObject({ store: false });
    expect(await ask({ store: true }, false)).toMatchObject({ store: true });
    expect(await ask({}, true)).not.toHaveProperty('store');
  });
});
