import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Channel, DEFAULT_TIMEOUTS } from '@mg/contract';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { TokenExchange } from '@mg/transport';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChatEndpoints } from '../../call/chat-endpoints.js';
import { KeyRotation } from '@mg/routing';
import { testChannel } from './test-channel.js';

const KEY = 'sk-provider-key-number-one-abcd';
const SECRET = 'aws-secret-access-key-of-the-test';
const SESSION = 'aws-session-token-of-the-test';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const INSTALLATION = '0123456789abcdef';
const PARTS = {
  chatEndpoints: new ChatEndpoints(),
  tokenExchange: new TokenExchange(),
  keys: new KeyRotation(),
  installation: INSTALLATION,
};
function makeChannel(changes: Partial<Channel>): Channel {
  return {
    id: '00000000-0000-8000-8000-000000000001',
    name: 'tested',
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
}

function test(changes: Partial<Channel>, model = 'any') {
  return testChannel({ ...PARTS, findChannel: async () => makeChannel(changes) }, 'any', model);
}

describe('testing a channel', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterAll(() => upstream.close());

  it('says that it works', async () => {
    expect(await test({ baseUrl: upstream.url })).toEqual({
      ok: true,
      latency_ms: expect.any(Number),
      status: 200,
      message: 'The upstream answered.',
    });
  });

  it('says what the upstream said', async () => {
    const outcome = await test({ baseUrl: upstream.url }, 'error-401');
    expect(outcome).toMatchObject({ ok: false, status: 401 });
    expect(outcome.message).toMatch(/^The upstream answered 401: .+/);
    expect(outcome.message).not.toContain(KEY);
  });

  it('says that nobody listens', async () => {
    expect(await test({ baseUrl: 'http://127.0.0.1:1' })).toMatchObject({
      ok: false,
      status: null,
      message: 'the upstream cannot be reached (ECONNREFUSED).',
    });
  });

  it('answers for the sandbox, which is in this process', async () => {
    expect(await test({ type: 'sandbox', apiKeys: [] }, 'sandbox-chat')).toMatchObject({
      ok: true,
      status: 200,
    });
  });

  it('says that a channel is gone, of an unknown type, or serves no chat, and never rejects', async () => {
    const gone = await testChannel({ ...PARTS, findChannel: async () => undefined }, 'x', 'y');
    expect(gone.message).toBe('The channel is gone.');
    const broken = { ...PARTS, findChannel: () => Promise.reject(new Error('Postgres is away')) };
    expect(await testChannel(broken, 'x', 'y')).toMatchObject({ ok: false, message: 'Postgres is away' });
    expect((await test({ type: 'of-tomorrow' })).message).toMatch(/no channel type "of-tomorrow"/);
    expect((await test({ type: 'voyage' }, 'voyage-3')).message).toMatch(/serve no chat model "voyage-3"/);
  });
});

describe('testing a channel with secret settings', () => {
  let server: Server;
  let address: string;
  let seen: { path: string | undefined; authorization: string | undefined }[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ path: request.url, authorization: request.headers.authorization });
      if (request.url === '/token') response.end('{"access_token":"an-access-token","expires_in":3600}');
      else response.writeHead(403).end(JSON.stringify({ message: `no ${SECRET} here, nor ${SESSION}` }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  beforeEach(() => {
    seen = [];
  });

  it('signs with them and hides them from the outcome', async () => {
    const settings = { region: 'us-east-1', access_key_id: 'AKIDEXAMPLE' };
    const outcome = await test(
      {
        type: 'bedrock',
        baseUrl: address,
        apiKeys: [],
        settings: { ...settings, secret_access_key: SECRET, session_token: SESSION },
      },
      'anthropic.claude',
    );
    expect(outcome).toMatchObject({ ok: false, status: 403 });
    expect(outcome.message).toContain('no [redacted] here, nor [redacted]');
    expect(seen).toMatchObject([
      { authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKID/) },
    ]);
  });

  it('obtains a token with them', async () => {
    const account = JSON.stringify({
      client_email: 'a@example.com',
      private_key: privateKey,
      token_uri: `${address}/token`,
    });
    const settings = { project: 'my-project', location: 'global', service_account: account };
    await test({ type: 'vertex', baseUrl: address, apiKeys: [], settings }, 'gemini-pro');
    expect(seen).toMatchObject([{ path: '/token' }, { authorization: 'Bearer an-access-token' }]);
  });
});
