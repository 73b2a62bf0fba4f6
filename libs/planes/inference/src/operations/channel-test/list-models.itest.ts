import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Channel, DEFAULT_TIMEOUTS } from '@mg/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { KeyRotation } from '@mg/routing';
import { listModels } from './list-models.js';

const KEY = 'sk-provider-key-number-one-abcd';
const PARTS = { keys: new KeyRotation(), installation: '0123456789abcdef' };

let server: Server | undefined;
let seen: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[] = [];

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  seen = [];
});

async function serve(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    response.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function list(changes: Partial<Channel>) {
  const channel: Channel = {
    id: '00000000-0000-8000-8000-000000000001',
    name: 'listed',
    type: 'openai-compatible',
    baseUrl: undefined,
    apiKeys: [KEY],
    models: new Map(),
    settings: {},
    priority: 0,
    weight: 1,
    timeouts: { ...DEFAULT_TIMEOUTS, connectMs: 1_000 },
    ...changes,
  };
  return listModels({ ...PARTS, findChannel: async () => channel }, channel.id);
}

describe('the list of a provider', () => {
  it('is asked for with the credential of the channel', async () => {
    const baseUrl = await serve(200, '{"data":[{"id":"plain"},{"id":"text-embedding-x"},{"no":1}]}');
    expect(await list({ baseUrl })).toMatchObject({
      ok: true,
      supported: true,
      models: [{ name: 'plain' }, { name: 'text-embedding-x' }],
    });
    expect(seen).toMatchObject([{ url: '/v1/models', headers: { authorization: `Bearer ${KEY}` } }]);
  });

  it('is read in the shapes of Anthropic, Gemini and of an array', async () => {
    const anthropic = await list({
      type: 'anthropic',
      baseUrl: await serve(200, '{"data":[{"id":"claude"}]}'),
    });
    expect(anthropic.models).toEqual([{ name: 'claude' }]);
    expect(seen[0]).toMatchObject({ url: '/v1/models?limit=1000', headers: { 'x-api-key': KEY } });
    server?.close();
    const models = [
      { name: 'models/gemini-x', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/veo-x', supportedGenerationMethods: ['predictLongRunning'] },
    ];
    const gemini = await list({ type: 'gemini', baseUrl: await serve(200, JSON.stringify({ models })) });
    expect(gemini.models).toEqual([{ name: 'gemini-x' }, { name: 'veo-x', kind: 'video' }]);
    server?.close();
    const together = await list({ type: 'togetherai', baseUrl: await serve(200, '[{"id":"llama"}]') });
    expect(together.models).toEqual([{ name: 'llama' }]);
  });

  it('is not followed elsewhere with the credential', async () => {
    const baseUrl = await serve(302, '', { location: '/elsewhere' });
    expect(await list({ baseUrl })).toMatchObject({ ok: false, status: 302, models: [] });
    expect(seen).toHaveLength(1);
  });

  it('is bounded in size', async () => {
    const baseUrl = await serve(200, ' '.repeat(5 * 1024 * 1024));
    const outcome = await list({ baseUrl });
    expect(outcome).toMatchObject({ ok: false, models: [] });
    expect(outcome.message).toMatch(/longer than/);
  });

  it('says what the provider said, without the key', async () => {
    const baseUrl = await serve(401, `{"error":{"message":"wrong key ${KEY}"}}`);
    const outcome = await list({ baseUrl });
    expect(outcome).toMatchObject({ ok: false, status: 401, models: [] });
    expect(outcome.message).toMatch(/^The upstream answered 401: wrong key/);
    expect(outcome.message).not.toContain(KEY);
  });

  it('is none where nobody answers JSON, nobody listens, or the type has none', async () => {
    expect(await list({ baseUrl: await serve(200, '<html>') })).toMatchObject({ ok: false, models: [] });
    expect(await list({ baseUrl: 'http://127.0.0.1:1' })).toMatchObject({
      message: 'the upstream cannot be reached (ECONNREFUSED).',
    });
    expect(await list({ type: 'sandbox' })).toMatchObject({ ok: false, supported: false });
    expect(await listModels({ ...PARTS, findChannel: async () => undefined }, 'x')).toMatchObject({
      ok: false,
      message: 'The channel is gone.',
    });
  });
});
