import { type CallerToken, nextSequence, readEnvironment, scopeLimits, sha256 } from '@mg/contract';
import { deriveSecretKey, UploadLinks } from '@mg/persistence/gateway';
import { createMetrics, Registry } from '@mg/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenCache } from '../access/token-cache.js';
import { InferenceMetrics } from '../call/inference-metrics.js';
import { BodyBudget } from '../edge/body-budget.js';
import { ENDPOINTS } from '../openapi/write-document.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { createIdleParts, NO_READINGS } from '../testing/small-gateway.js';
import { type RunningHttp, startHttp } from './start-http.js';

const KEYS = {
  good: 'sk-with-limits-0000',
  disabled: 'sk-disabled-0000000',
  expired: 'sk-expired-00000000',
  elsewhere: 'sk-from-elsewhere-0',
  stranger: 'sk-other-wallet-000',
} as const;
const FACTS: Readonly<Record<string, object>> = {
  [sha256(KEYS.good)]: {},
  [sha256(KEYS.disabled)]: { disabled: true },
  [sha256(KEYS.expired)]: { expiresAt: 1 },
  [sha256(KEYS.elsewhere)]: { allowedIps: new Set(['203.0.113.7']) },
  [sha256(KEYS.stranger)]: { walletId: 'other', limits: undefined },
};
const INSTALLATION = '0123456789abcdef';
const LINKS = new UploadLinks(deriveSecretKey('a key of thirty-two characters...'));

let http: RunningHttp;

beforeAll(async () => {
  const environment = readEnvironment({ HOST: '127.0.0.1', GATEWAY_PORT: '0' });
  const note = () => undefined;
  const logger = { trace: note, debug: note, info: note, warn: note, error: note, fatal: note };
  // What is behind the door is not there: whatever a route makes of that, its answer has the headers.
  const gateway = {
    ...createIdleParts(INSTALLATION),
    logger,
    tokens: new TokenCache(async (keyHash) => {
      const facts = FACTS[keyHash];
      return facts && makeToken(facts);
    }),
    requestLog: { add: note },
    catalog: () => ({ version: 1, models: new Map(), channelsBySlug: new Map() }),
    metrics: new InferenceMetrics(new Registry(), NO_READINGS),
    bodies: new BodyBudget(64 * 1024 * 1024),
    account: {},
    uploadLinks: LINKS,
    video: {},
  } as unknown as VideoGateway;
  const metrics = createMetrics('gateway', environment);
  http = await startHttp({ environment, gateway, metrics, unready: () => undefined });
  for (const key of Object.values(KEYS)) await ask('GET', '/v1/models', key);
});
afterAll(() => http.close());

function makeToken(facts: object): CallerToken {
  const limits = scopeLimits('token', 't', { rpm: 600, tpm: 100_000 }, nextSequence());
  const own = { id: 't', name: 'test', walletId: 'w', userId: 'u', disabled: false };
  return { ...own, limits: limits && [limits], ...facts } as unknown as CallerToken;
}

async function ask(
  method: string,
  path: string,
  key: string = KEYS.good,
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(http.address + path, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  await answer.arrayBuffer();
  return answer;
}

function listShown({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name.includes('ratelimit')).sort();
}

const OPENAI = ['limit', 'remaining', 'reset'].flatMap((figure) =>
  ['requests', 'tokens'].map((what) => `x-ratelimit-${figure}-${what}`),
);
const ANTHROPIC = ['requests', 'tokens'].flatMap((what) =>
  ['limit', 'remaining', 'reset'].map((figure) => `anthropic-ratelimit-${what}-${figure}`),
);

const ROUTES = ENDPOINTS.filter(({ cost }) => cost !== 'open').map(
  ({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'x')] as const,
);

describe('the limits of a key', () => {
  it.each(ROUTES)('stand on the answer of %s %s', async (method, path) => {
    const shown = listShown(await ask(method, path));
    expect(shown).toEqual(path.startsWith('/v1/messages') ? ANTHROPIC : OPENAI);
  });

  it.each([
    ['an unknown path', 'GET', '/v1/nothing', {}, 404],
    ['an unknown method of a model', 'POST', '/v1beta/models/m:nothing', {}, 404],
    ['a method that is not served', 'DELETE', '/v1/models', {}, 405],
    ['an unknown switch', 'POST', '/v1/chat/completions', { 'x-gateway-strict': 'yes' }, 400],
    ['NUL in the query', 'GET', '/v1/models?a=%00', {}, 400],
    ['a path that cannot be decoded', 'GET', '/v1/models/%zz', {}, 400],
    ['a loop', 'POST', '/v1/chat/completions', { 'x-gateway-hops': INSTALLATION }, 508],
  ])(
    'stand on what is answered before the key is asked for: %s',
    async (_, method, path, headers, status) => {
      const answer = await ask(method, path, KEYS.good, headers as Record<string, string>);
      expect([answer.status, listShown(answer)]).toEqual([status, OPENAI]);
    },
  );

  it('are told in the words of Anthropic to its clients at paths that others share', async () => {
    const answer = await ask('GET', '/v1/nothing', KEYS.good, { 'anthropic-version': '2023-06-01' });
    expect([answer.status, listShown(answer)]).toEqual([404, ANTHROPIC]);
  });

  it.each([
    ['disabled', '/v1/models', 401],
    ['expired', '/v1/models', 401],
    ['elsewhere', '/v1/models', 403],
    ['disabled', '/v1/nothing', 404],
    ['expired', '/v1/nothing', 404],
    ['elsewhere', '/v1/nothing', 404],
  ] as const)('are told to nobody whose key is refused: %s at %s', async (key, path, status) => {
    const answer = await ask('GET', path, KEYS[key]);
    expect([answer.status, listShown(answer)]).toEqual([status, []]);
  });

  it.each([
    ['good', 400, OPENAI],
    ['disabled', 401, []],
    ['elsewhere', 403, []],
    ['stranger', 404, []],
    [undefined, 400, []],
  ] as const)(
    'are told to no other than its key at the address of its upload: %s',
    async (key, status, shown) => {
      const link = LINKS.seal({ keyHash: sha256(KEYS.good), uploadId: 'upload_1' });
      const headers = key && { authorization: `Bearer ${KEYS[key]}` };
      const address = `${http.address}/upload/v1beta/files?upload_id=${link}`;
      const answer = await fetch(address, { method: 'POST', headers: { ...headers } });
      expect([answer.status, listShown(answer)]).toEqual([status, shown]);
    },
  );

  it('are told to nobody without a key, or with one that nobody knows', async () => {
    expect(listShown(await ask('GET', '/v1/models', 'sk-nobody-knows-me00'))).toEqual([]);
    expect(listShown(await fetch(`${http.address}/v1/models`))).toEqual([]);
  });
});
