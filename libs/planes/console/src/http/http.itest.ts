import { get } from 'node:http';
import { watchSlowness } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { ROUTE_RULES } from '../testing/route-rules.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

interface Failure {
  readonly detail: {
    code: string;
    message: string;
    request_id: string;
    type: string;
    param?: string;
    reason?: string;
    values?: string[];
  };
}

describe('failures', () => {
  it.each([
    ['an unknown route', 'GET', '/api/v1/nothing', {}, 404, 'not_found'],
    ['a wrong method', 'PUT', '/api/v1/tokens', {}, 405, 'method_not_allowed'],
    ['a wrong method below', 'POST', '/healthz', {}, 405, 'method_not_allowed'],
    ['a method that nobody serves', 'QUERY', '/healthz', {}, 405, 'method_not_allowed'],
    ['malformed JSON', 'POST', '/api/v1/auth/login', { rawBody: '{"email":' }, 400, 'invalid_request'],
    [
      'a poisoned body',
      'POST',
      '/api/v1/auth/login',
      { rawBody: '{"__proto__":{}}' },
      400,
      'invalid_request',
    ],
    [
      'a body with too many names',
      'POST',
      '/api/v1/auth/login',
      { rawBody: `{${Array.from({ length: 20_000 }, (_, n) => `"n${n}":1`).join()}}` },
      400,
      'invalid_request',
    ],
    ['no body', 'POST', '/api/v1/auth/login', {}, 400, 'invalid_request'],
    ['an array', 'POST', '/api/v1/auth/login', { rawBody: '[]' }, 400, 'invalid_request'],
    [
      'a form',
      'POST',
      '/api/v1/auth/login',
      { rawBody: 'email=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'plain text',
      'POST',
      '/api/v1/auth/login',
      { rawBody: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a body too large',
      'POST',
      '/api/v1/auth/login',
      { rawBody: JSON.stringify({ email: 'a'.repeat(2_000_000) }) },
      413,
      'request_too_large',
    ],
    ['a URL that cannot be decoded', 'GET', '/api/v1/tokens/%zz', {}, 400, 'invalid_request'],
    ['no session', 'GET', '/api/v1/tokens', {}, 401, 'unauthenticated'],
  ])('answers %s in the one shape', async (_name, method, path, options, status, code) => {
    const answer = await console.call<Failure>(method, path, options);
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatchObject({
      code,
      message: expect.any(String),
      type: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    });
    expect(answer.body.detail.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['POST', '/api/v1/auth/login', { email: 'a@b.c', password: 'x', remember: true }, 'remember'],
    ['POST', '/api/v1/auth/login', { email: 'a@b.c' }, 'password'],
    ['POST', '/api/v1/auth/login', { email: 7, password: 'x' }, 'email'],
    ['POST', '/api/v1/tokens', { name: '' }, 'name'],
    ['POST', '/api/v1/tokens', { name: 'a', spending_quota: 5 }, 'spending_quota'],
    ['POST', '/api/v1/tokens', { name: 'a', spending_quota: '-5' }, 'spending_quota'],
    ['POST', '/api/v1/tokens', { name: 'a', expires_at: 'tomorrow' }, 'expires_at'],
    ['POST', '/api/v1/tokens', { name: 'a', allowed_models: ['a', 'b c'] }, 'allowed_models[1]'],
    ['POST', '/api/v1/models', { slug: 'm', kind: 'chat', price: { per_token: '1' } }, 'price.per_token'],
    [
      'POST',
      '/api/v1/models',
      { slug: 'm', kind: 'chat', price: { output_per_million: '999999999' } },
      'price.output_per_million',
    ],
    ['GET', '/api/v1/tokens?limit=0', undefined, 'limit'],
    ['GET', '/api/v1/tokens?limit=201', undefined, 'limit'],
    ['GET', '/api/v1/tokens?cursor=zzz', undefined, 'cursor'],
    ['GET', '/api/v1/tokens?offset=1', undefined, 'offset'],
    ['GET', '/api/v1/logs?status=abc', undefined, 'status'],
    ['GET', '/api/v1/logs?from=yesterday', undefined, 'from'],
    ['GET', '/api/v1/usage?group_by=wallet', undefined, 'group_by'],
  ])('names the field: %s %s %j', async (method, path, body, param) => {
    const answer = await console.call<Failure>(method, path, { session, body });
    expect(answer.status).toBe(400);
    expect(answer.body.detail.param).toBe(param);
    expect(answer.body.detail.message).toMatch(new RegExp(`^${param.replace(/[[\]]/g, '\\$&')}: .+\\.$`));
  });

  it.each([
    ['at the top', '{"email":"a@b.c","password":"x","email":"d@e.f"}', 'email'],
    ['below', '{"name":"a","limits":{"rpm":1,"rp\\u006d":2}}', 'limits.rpm'],
  ])('H1: names a member that is there twice, %s', async (_, rawBody, param) => {
    const answer = await console.call<Failure>('POST', '/api/v1/tokens', { session, rawBody });
    expect([answer.status, answer.body.detail]).toMatchObject([400, { code: 'invalid_request', param }]);
  });

  it('asks callers to come again when a lock is not had in time', async () => {
    const answer = await bed.database.transaction(async (manager) => {
      await manager.query('lock table token in access exclusive mode');
      return console.call<Failure>('GET', '/api/v1/tokens', { session });
    });
    expect([answer.status, answer.body.detail, answer.headers.get('retry-after')]).toMatchObject([
      503,
      { code: 'service_unavailable', message: 'The database takes too long at the moment; try again.' },
      '1',
    ]);
  });

  it('answers an expectation that it does not know in the one shape', async () => {
    const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const request = get(`${console.address}/healthz`, { headers: { expect: '200-maybe' } }, (response) => {
        response.setEncoding('utf8').once('data', (body: string) => resolve([response.statusCode, body]));
      });
      request.once('error', reject);
    });
    expect([status, JSON.parse(text)]).toMatchObject([417, { detail: { param: 'Expect' } }]);
  });

  it.each([
    ['POST', '/api/v1/auth/login', { email: 'a@b.c' }, 'required', undefined],
    [
      'POST',
      '/api/v1/users',
      { email: 'a@b.example', password: 'short', role: 'member' },
      'too_short',
      ['8'],
    ],
    [
      'POST',
      '/api/v1/users',
      { email: 'nobody', password: 'long enough', role: 'member' },
      'no_email',
      undefined,
    ],
    ['POST', '/api/v1/wallets', { name: '' }, 'empty', undefined],
    ['POST', '/api/v1/wallets', { name: 'x', colour: 'red' }, 'unknown_key', undefined],
    [
      'POST',
      '/api/v1/channels',
      { name: 'x', type: 'bedrock', models: [], settings: { region: '?' } },
      'no_region',
      undefined,
    ],
    ['PATCH', '/api/v1/nothing', {}, 'no_route', undefined],
  ])('%s %s %j say why by the reason %s', async (method, path, body, reason, values) => {
    const answer = await console.call<Failure>(method, path, { session, body });
    expect(answer.body.detail.reason).toBe(reason);
    expect(answer.body.detail.values).toEqual(values);
  });

  it('says which methods a route takes', async () => {
    const answer = await console.call('DELETE', '/api/v1/tokens', { session });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

describe('documents and health', () => {
  it('answers signs of life without a session', async () => {
    expect((await console.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await console.call('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });

  it('describes every route it serves', async () => {
    const { status, body } = await console.call<{ paths: Record<string, Record<string, object>> }>(
      'GET',
      '/openapi.json',
    );
    expect(status).toBe(200);
    const routes = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(Object.keys(ROUTE_RULES).sort());
  });

  it('answers a HEAD without a session as it answers a GET', async () => {
    expect((await console.call('HEAD', '/api/v1/tokens')).status).toBe(401);
  });

  it('shows the documentation page', async () => {
    const page = await console.call('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
    expect((await console.call('GET', '/docs/swagger-ui-bundle.js')).status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('hides metrics until they are enabled', async () => {
    expect((await console.call('GET', '/metrics')).status).toBe(404);
    const measured = await bed.open({
      environment: { METRICS_ENABLED: 'true', METRICS_TOKEN: 'metrics-token' },
    });
    await measured.call('GET', '/healthz');
    expect((await measured.call('GET', '/metrics')).status).toBe(401);
    const wrong = { authorization: 'Bearer wrong' };
    expect((await measured.call('GET', '/metrics', { headers: wrong })).status).toBe(401);
    const right = { authorization: 'Bearer metrics-token' };
    const metrics = await measured.call('GET', '/metrics', { headers: right });
    expect(metrics.status).toBe(200);
    expect(metrics.text).toMatch(
      /console_request_duration_seconds_count\{.*route="\/healthz",status="200"\} 1/,
    );
  });

  it('closes promptly although clients keep their connections', async () => {
    const other = await bed.open();
    await other.call('GET', '/healthz');
    const readSlowness = watchSlowness();
    const startedAt = performance.now();
    await other.close();
    expect(performance.now() - startedAt).toBeLessThan(2_000 * readSlowness());
  });
});
