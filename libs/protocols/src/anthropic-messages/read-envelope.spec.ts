import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { readMessagesEnvelope } from './read-envelope.js';

const valid = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };

function paramOf(value: unknown): string | undefined {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  try {
    readMessagesEnvelope(Buffer.from(body));
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return 'accepted';
}

describe('readMessagesEnvelope', () => {
  it.each([
    ['body', '{'],
    ['body', '[]'],
    ['model', { ...valid, model: 7 }],
    ['max_tokens', { ...valid, max_tokens: undefined }],
    ['max_tokens', { ...valid, max_tokens: -1 }],
    ['max_tokens', { ...valid, max_tokens: 1.5 }],
    ['messages', { ...valid, messages: [] }],
    ['messages[0]', { ...valid, messages: ['hi'] }],
    ['messages[0].role', { ...valid, messages: [{ role: 'tool', content: 'hi' }] }],
    ['messages[0].content', { ...valid, messages: [{ role: 'user' }] }],
    ['messages[0].content[0].type', { ...valid, messages: [{ role: 'user', content: [{}] }] }],
    [
      'messages[0].content[0].source',
      { ...valid, messages: [{ role: 'user', content: [{ type: 'image' }] }] },
    ],
    ['system', { ...valid, system: 7 }],
    ['temperature', { ...valid, temperature: 1.5 }],
    ['stream', { ...valid, stream: 'yes' }],
    ['tools[0]', { ...valid, tools: ['x'] }],
    ['thinking', { ...valid, thinking: true }],
  ])('names %s', (param, body) => {
    expect(paramOf(body)).toBe(param);
  });

  it('accepts what coding agents send, and a warm-up of the cache', () => {
    const system = [{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }];
    const messages = [...valid.messages, { role: 'system', content: 'Note.' }];
    expect(paramOf({ ...valid, system, messages, thinking: { type: 'adaptive' }, x_new: 1 })).toBe(
      'accepted',
    );
    expect(paramOf({ ...valid, max_tokens: 0 })).toBe('accepted');
  });

  it('needs no limit to count tokens', () => {
    const body = Buffer.from(JSON.stringify({ ...valid, max_tokens: undefined }));
    expect(readMessagesEnvelope(body, { needsMaxTokens: false }).maxTokens).toBeUndefined();
  });
});
