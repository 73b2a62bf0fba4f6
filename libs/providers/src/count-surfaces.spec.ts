import { describe, expect, it, vi } from 'vitest';
import { buildOutgoing, chooseSurface, findBaseUrl } from './build-outgoing.js';
import type { Surface } from './descriptor.js';
import { findProvider } from './registry.js';

const SETTINGS: Readonly<Record<string, object>> = {
  vertex: { project: 'acme-1', location: 'us-east5' },
  bedrock: { region: 'us-east-1' },
};
const contents = [{ parts: [{ text: 'hi' }] }];
const generateContentRequest = {
  model: 'models/slug',
  contents,
  systemInstruction: { parts: [{ text: 's' }] },
};

/** A request to count as it leaves: address, and body. */
async function send(type: string, protocol: Surface['protocol'], model: string, body: object) {
  const settings = { ...SETTINGS[type] };
  const provider = findProvider(type);
  const surface = provider && chooseSurface(provider, 'count-tokens', model, protocol, settings);
  if (!provider || !surface) throw new Error(`${type} does not count for ${model}`);
  const baseUrl = findBaseUrl(provider, undefined, settings) ?? '';
  const { url, body: bytes } = await buildOutgoing(
    {
      provider,
      surface: { ...surface, sign: (request) => request },
      baseUrl,
      call: { model, stream: false, settings },
      body: { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)) },
      passedHeaders: {},
    },
    { apiKey: 'key', settings, nowMs: 0, obtainToken: () => Promise.resolve('token') },
  );
  return { url: url.href, body: JSON.parse(bytes.toString()) as unknown };
}

describe('surfaces that count tokens', () => {
  it('Anthropic', async () => {
    const body = { model: 'claude-opus-5-5', messages: [] };
    const counted = { url: 'https://api.anthropic.com/v1/messages/count_tokens', body };
    expect(await send('anthropic', 'anthropic-messages', 'claude-opus-5-5', body)).toEqual(counted);
    const asked = { ...body, max_tokens: 64, temperature: 1, stream: true, metadata: {} };
    expect(await send('anthropic', 'gemini-generate', 'claude-opus-5-5', asked)).toEqual(counted);
  });

  it.each([
    'anthropic.claude-haiku-4-5-20251001-v1:0',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0',
  ])('Claude on Bedrock, by the name of the model itself: %s', async (model) => {
    const sent = await send('bedrock', 'anthropic-messages', model, { model, messages: [], system: 's' });
    expect(sent.url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/count-tokens',
    );
    const { input } = sent.body as { input: { invokeModel: { body: string } } };
    expect(JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString())).toEqual({
      max_tokens: 1,
      messages: [],
      system: 's',
      anthropic_version: 'bedrock-2023-05-31',
    });
  });

  it('T25: Claude on Bedrock, whose base64 is written in steps', async () => {
    const model = 'anthropic.claude-haiku-4-5-20251001-v1:0';
    const body = { max_tokens: 5, messages: [], system: '\u{1F600}'.repeat(512 * 1024) };
    const encoded = vi.spyOn(Buffer.prototype, 'toString');
    const sent = await send('bedrock', 'anthropic-messages', model, { model, ...body });
    const lengths = encoded.mock.results.flatMap(({ value }, at) =>
      encoded.mock.calls[at]?.[0] === 'base64' ? [String(value).length] : [],
    );
    encoded.mockRestore();
    const { input } = sent.body as { input: { invokeModel: { body: string } } };
    expect(JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString())).toMatchObject(body);
    expect(lengths.length).toBeGreaterThan(4);
    expect(Math.max(...lengths)).toBeLessThan(1024 * 1024);
  });

  it.each([
    'us.amazon.nova-2-lite-v1:0',
    'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc',
  ])('not those of Bedrock for %s', (model) => {
    const provider = findProvider('bedrock');
    expect(provider && chooseSurface(provider, 'count-tokens', model, 'gemini-generate', {})).toBeUndefined();
  });

  it('Gemini, whose request to answer names the model once more', async () => {
    const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:countTokens';
    const plain = await send('gemini', 'gemini-generate', 'gemini-3.5-flash', { contents });
    expect(plain).toEqual({ url, body: { contents } });
    const whole = await send('gemini', 'gemini-generate', 'gemini-3.5-flash', { generateContentRequest });
    expect(whole.body).toEqual({
      generateContentRequest: { ...generateContentRequest, model: 'models/gemini-3.5-flash' },
    });
    const converted = await send('gemini', 'gemini-generate', 'gemini-3.5-flash', { contents, tools: [] });
    expect(converted.body).toEqual({
      generateContentRequest: { contents, tools: [], model: 'models/gemini-3.5-flash' },
    });
  });

  it('Gemini on Vertex, which wants the members of that request and a role for each turn', async () => {
    const { url, body } = await send('vertex', 'gemini-generate', 'gemini-2.5-pro', {
      generateContentRequest,
    });
    expect(url).toBe(
      'https://us-east5-aiplatform.googleapis.com/v1/projects/acme-1/locations/us-east5/publishers/google/models/gemini-2.5-pro:countTokens',
    );
    expect(body).toEqual({
      contents: [{ role: 'user', ...contents[0] }],
      systemInstruction: generateContentRequest.systemInstruction,
    });
  });

  it('Claude on Vertex, where the body names the model', async () => {
    const model = 'claude-opus-4-1@20250805';
    expect(await send('vertex', 'anthropic-messages', model, { model, messages: [] })).toEqual({
      url: 'https://us-east5-aiplatform.googleapis.com/v1/projects/acme-1/locations/us-east5/publishers/anthropic/models/count-tokens:rawPredict',
      body: { model, messages: [], anthropic_version: 'vertex-2023-10-16' },
    });
  });
});
