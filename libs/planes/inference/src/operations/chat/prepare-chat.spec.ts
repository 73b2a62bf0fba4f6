import { GatewayError } from '@mg/contract';
import { findChatProtocol, type TraitsOf } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import { ChatRequest } from './chat-request.js';
import { type HeldChat, prepareChat } from './prepare-chat.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];

/** What the upstream of a channel is sent, or the name of the field that the channel does not take. */
async function send(
  fields: object,
  protocol: string,
  traits: TraitsOf<'openai-chat'>,
): Promise<string | undefined> {
  const body = Buffer.from(JSON.stringify({ model: 'slug', messages: MESSAGES, ...fields }));
  const { envelope } = findChatProtocol('openai-chat').readCall(body, { query: {} });
  const request = new ChatRequest('openai-chat', envelope, body, {});
  const endpoint = { surface: { protocol, operation: 'chat' }, traits, provider: {}, baseUrl: 'http://a' };
  const attempt = { channel: { type: 'some-channel' }, upstreamModel: 'slug', reason: '' };
  const hold = { cap: undefined, toolUses: undefined, demand: { tools: [] }, unpriced: [] };
  const call = { request, hold };
  try {
    const prepared = await prepareChat(
      endpoint as unknown as ChatEndpoint,
      attempt as unknown as Parameters<typeof prepareChat>[1],
      call as unknown as HeldChat,
      { enabled: false, allowPrivate: false },
    );
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
