import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { readChatEnvelope } from './read-envelope.js';

const valid = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

function paramOf(body: string): string | undefined {
  try {
    readChatEnvelope(Buffer.from(body));
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return 'accepted';
}

describe('readChatEnvelope', () => {
  it.each([
    ['body', '{'],
    ['body', '[]'],
    ['body', '"text"'],
    ['body', ''],
    ['model', '{"messages":[]}'],
    ['model', '{"model":7,"messages":[]}'],
    ['messages', '{"model":"m"}'],
    ['messages', '{"model":"m","messages":[]}'],
    ['messages[0]', '{"model":"m","messages":["hi"]}'],
    ['messages[0].role', '{"model":"m","messages":[{"content":"hi"}]}'],
    ['messages[0].role', '{"model":"m","messages":[{"role":"king","content":"hi"}]}'],
    [
      'messages[1].content',
      '{"model":"m","messages":[{"role":"user","content":"a"},{"role":"user","content":7}]}',
    ],
    ['messages[0].content[0].type', '{"model":"m","messages":[{"role":"user","content":[{}]}]}'],
    [
      'messages[0].content[0].image_url.url',
      '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]}',
    ],
  ])('names %s', (param, body) => {
    expect(paramOf(body)).toBe(param);
  });

  it.each([
    ['stream', 'yes'],
    ['temperature', 'hot'],
    ['temperature', -1],
    ['max_tokens', 1.5],
    ['max_tokens', -1],
    ['max_completion_tokens', '5'],
    ['n', 0],
    ['n', -1],
    ['top_p', 3],
    ['tools', {}],
    ['stop', 5],
    ['stream_options', true],
    ['response_format', 'json'],
  ])('refuses %s of %j', (field, value) => {
    expect(paramOf(JSON.stringify({ ...valid, [field]: value }))).toBe(field);
  });

  it('lets unknown fields and explicit nulls pass', () => {
    expect(paramOf(JSON.stringify({ ...valid, temperature: null, x_new: { deep: [1] } }))).toBe('accepted');
  });
});

describe('H2a: two caps on one answer', () => {
  it.each([
    ['max_tokens', { max_completion_tokens: 1, max_tokens: 1_000_000 }],
    ['max_tokens', { max_completion_tokens: 10, max_tokens: 1 }],
    ['max_new_tokens', { max_tokens: 1, max_new_tokens: 1_000_000 }],
    ['max_output_tokens', { max_output_tokens: 9 }],
    ['options.num_predict', { max_tokens: 1, options: { num_predict: 1_000_000 } }],
  ])('are refused as %s where they differ: %j', (param, caps) => {
    expect(paramOf(JSON.stringify({ ...valid, ...caps }))).toBe(param);
  });

  it.each([
    [5, { max_completion_tokens: 5, max_tokens: 5 }],
    [5, { max_completion_tokens: null, max_tokens: 5 }],
    [undefined, { max_completion_tokens: null, max_tokens: null, max_new_tokens: null }],
  ])('are read as %s where they agree: %j', (cap, caps) => {
    expect(readChatEnvelope(Buffer.from(JSON.stringify({ ...valid, ...caps }))).maxTokens).toBe(cap);
  });

  it('are counted for as many answers as are made to choose from', () => {
    const body = Buffer.from(JSON.stringify({ ...valid, n: 2, best_of: 5 }));
    expect(readChatEnvelope(body).choices).toBe(5);
  });
});

describe('the name of the model', () => {
  it.each(['a\u0000', '\ud800', 'x'.repeat(257)])('cannot be %j', (model) => {
    expect(paramOf(JSON.stringify({ ...valid, model }))).toBe('model');
  });
});
