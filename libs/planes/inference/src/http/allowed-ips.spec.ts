import { type CallerToken, omitUndefined, readEnvironment, sha256 } from '@mg/contract';
import { createMetrics, Registry } from '@mg/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenCache } from '../access/token-cache.js';
import { InferenceMetrics } from '../call/inference-metrics.js';
import { ENDPOINTS } from '../openapi/write-document.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { createIdleParts, NO_READINGS } from '../testing/small-gateway.js';
import { type RunningHttp, startHttp } from './start-http.js';

const KEY = 'sk-of-the-office-0000';
const OFFICE = '203.0.113.7';
const ELSEWHERE = '198.51.100.1';
const TOKEN = {
  id: 't',
  name: 'office',
  walletId: 'w',
  userId: 'u',
  disabled: false,
  allowedIps: new Set([OFFICE]),
} as unknown as CallerToken;

let http: RunningHttp;

beforeAll(async () => {
  const environment = readEnvironment({
    HOST: '127.0.0.1',
    GATEWAY_PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
  });
  const note = () => undefined;
  const logger = { trace: note, debug: note, info: note, warn: note, error: note, fatal: note };
  // Nobody who is refused comes past the door, so that nothing behind it is needed.
  const gateway = {
    ...createIdleParts('0123456789abcdef'),
    logger,
    tokens: new TokenCache(async (keyHash) => (keyHash === sha256(KEY) ? TOKEN : undefined)),
    requestLog: { add: note },
    catalog: () => ({ version: 1, models: new Map(), channelsBySlug: new Map() }),
    metrics: new InferenceMetrics(new Registry(), NO_READINGS),
    account: {},
    video: {},
  } as unknown as VideoGateway;
  const metrics = createMetrics('gateway', environment);
  http = await startHttp({ environment, gateway, metrics, unready: () => undefined });
});
afterAll(() => http.close());

const ask = (path: string, forwardedFor: string | undefined, init: RequestInit = {}) =>
  fetch(http.address + path, {
    ...init,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...omitUndefined({ 'x-forwarded-for': forwardedFor }),
      ...init.headers,
    },
  });

const WITH_KEY = ENDPOINTS.filter(({ cost }) => cost !== 'open').map(
  ({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'x')] as const,
);

describe('a key that may be used from some addresses', () => {
  it.each(WITH_KEY)('is refused from another: %s %s', async (method, path) => {
    const answer = await ask(path, ELSEWHERE, { method });
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      {
        detail: {
          code: 'address_not_allowed',
          message: `The API key may not be used from the address ${ELSEWHERE}.`,
        },
      },
    ]);
  });

  it.each([
    ['no proxy has named anybody', undefined, 403],
    ['the proxy names it', OFFICE, 200],
    ['two proxies pass it on', `${OFFICE}, 10.0.0.2`, 200],
    ['the client has named it itself', `${OFFICE}, ${ELSEWHERE}`, 403],
    ['the proxy names nothing that is an address', 'office', 403],
  ])('goes by what trusted proxies say: %s', async (_, forwardedFor, status) => {
    expect((await ask('/v1/models', forwardedFor)).status).toBe(status);
  });

  it('says so in the words of each dialect', async () => {
    const anthropic = await ask('/v1/messages', ELSEWHERE, { method: 'POST' });
    expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    const google = await ask('/v1beta/models/m:generateContent', ELSEWHERE, { method: 'POST' });
    expect(await google.json()).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
  });
});
