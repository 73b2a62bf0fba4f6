import { GatewayError } from '@mg/contract';
import { findChatProtocol, type ModelTraits, readChatEnvelope } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import type { ChannelEndpoint } from '../call/channel-endpoint.js';
import type { ChatCall } from '../chat/chat-call.js';
import { prepareLane } from './prepare-lane.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];

/** What the upstream of a channel is sent, or the name of the field that the channel does not take. */
async function send(fields: object, protocol: string, traits: ModelTraits): Promise<string | undefined> {
  const body = Buffer.from(JSON.stringify({ model: 'slug', messages: MESSAGES, ...fields }));
  const envelope = readChatEnvelope(body);
  const request = { protocol: findChatProtocol('openai-chat'), envelope, framing: 'sse', body, headers: {} };
  const endpoint = { surface: { protocol, operation: 'chat' }, traits, provider: {}, baseUrl: 'http://a' };
  const attempt = { channel: { type: 'some-channel' }, upstreamModel: 'slug', reason: '' };
  const hold = { cap: undefined, toolUses: undefined, demand: { tools: [] }, unpriced: [] };
  const call = { request, hold };
  try {
    const lane = await prepareLane(
      endpoint as unknown as ChannelEndpoint,
      attempt as unknown as Parameters<typeof prepareLane>[1],
      call as unknown as ChatCall,
      { enabled: false, allowPrivate: false },
    );
    return lane.dropped ? `dropped ${lane.dropped.toString()}` : lane.body.toString();
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
    expect(await send(fields, 'openai-chat', { oddAnswers: true })).toBe(param);
  });

  it('go out where the channel allows them, and are left out by name where another protocol is spoken', async () => {
    const fields = { models: ['big'], route: null };
    expect(await send(fields, 'openai-chat', { upstreamRouting: true })).toContain('"models":["big"]');
    expect(await send({ models: ['big'] }, 'anthropic-messages', { maxOutputTokens: 5 })).toBe(
      'dropped models',
    );
  });

  it('do no harm when they say nothing', async () => {
    expect(await send({ models: null }, 'openai-chat', {})).toContain('"models":null');
  });
});
