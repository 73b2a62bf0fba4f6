import { connect } from 'node:net';
import { readEnvironment } from '@mg/contract';
import { createMetrics } from '@mg/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FairShare, FreeShares } from '../access/fair-share.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { createIdleParts } from '../testing/small-gateway.js';
import { type RunningHttp, startHttp } from './start-http.js';

let http: RunningHttp;
let port: number;
const logged: string[] = [];

beforeAll(async () => {
  http = await start('127.0.0.1');
  port = Number(new URL(http.address).port);
});

async function start(host: string, shares = new FreeShares()): Promise<RunningHttp> {
  const environment = readEnvironment({ HOST: host, GATEWAY_PORT: '0' });
  const note = (facts: object, message?: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const logger = { trace: note, debug: note, info: note, warn: note, error: note, fatal: note };
  const tokens = { recall: () => 'unknown', find: () => Promise.resolve(undefined) };
  // Nobody who is asked here comes past the door, so that nothing behind it is needed.
  const gateway = {
    ...createIdleParts('0123456789abcdef'),
    shares,
    logger,
    tokens,
    account: {},
    video: {},
  } as unknown as VideoGateway;
  const metrics = createMetrics('gateway', environment);
  return startHttp({ environment, gateway, metrics, unready: () => undefined });
}

afterAll(() => http.close());

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: {
    readonly detail: { readonly code: string; readonly param?: string; readonly request_id: string };
  };
}

/** Sends bytes as they are and reads until the server closes. */
function sendRaw(text: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.once('error', reject).once('end', () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
      resolve({
        status: Number(head.split(' ')[1]),
        head,
        body: body.startsWith('{') ? JSON.parse(body) : {},
      });
    });
  });
}

const ask = (method: string, path: string, headers = 'Host: a\r\n') =>
  sendRaw(`${method} ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);

const PATHS = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/v1/models',
  '/v1/messages',
  '/',
];

describe('requests that no route should meet', () => {
  it.each(
    PATHS.flatMap((path) => ['QUERY', 'TRACE', 'PROPFIND', 'M-SEARCH'].map((method) => [method, path])),
  )('%s %s is a 405 that names methods', async (method, path) => {
    const { status, head, body } = await ask(method ?? '', path ?? '');
    expect(status).toBe(405);
    expect(head).toMatch(/\r\nallow: GET/i);
    expect(body.detail.code).toBe('method_not_allowed');
  });

  it.each([
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/v1/messages', 'POST'],
    ['HEAD', '/v1/messages', 'POST'],
    ['PATCH', '/v1/models', 'GET'],
    ['PATCH', '/v1/models/vendor/small:7b', 'GET'],
    ['OPTIONS', '/v1/models/small:embedContent', 'POST'],
    ['PUT', '/v1beta/models/small:7b:generateContent', 'POST'],
    ['DELETE', '/v1beta/models/small', 'GET'],
    ['OPTIONS', '/v1beta/files/a:download', 'GET'],
    ['OPTIONS', '/v1/files/a:download', 'GET'],
    ['OPTIONS', '/v1/files/a', 'GET, DELETE'],
  ])('%s %s names the methods of the path', async (method, path, allowed) => {
    const { status, head } = await ask(method, path);
    expect(status).toBe(405);
    expect(head).toMatch(new RegExp(`\\r\\nallow: ${allowed}\\r`, 'i'));
  });

  it.each([
    ['/docs/%00', 'path'],
    ['/v1/models/%00', 'path'],
    ['/v1/videos?after=%00', 'after'],
    ['/v1/usage?from=2027-01-01&group_by=a%00', 'group_by'],
    ['/?%00=1', 'query'],
  ])('M3: NUL in %s is a 400', async (path, param) => {
    const { status, body } = await ask('GET', path);
    expect([status, body.detail.code, body.detail.param]).toEqual([400, 'invalid_request', param]);
  });

  it.each([
    ['/v1/models?key=sk-%00', 'key'],
    ['/v1/usage?key=sk-%00&from=%00', 'key'],
    ['/v1/usage?from=a?to=%00', 'query'],
  ])('M3: NUL is refused wherever it stands in a query: %s', async (path, param) => {
    const { status, body } = await ask('GET', path);
    expect([status, body.detail.param]).toEqual([400, param]);
  });

  it.each(['/docs/../v1/models', '/docs/%2e%2e/v1/models', '/v1/./models', '/docs/..'])(
    'the dots in %s lead nowhere',
    async (path) => {
      const { status, body } = await ask('GET', path);
      expect([status, body.detail.code]).toEqual([404, 'not_found']);
    },
  );

  it.each([
    ['two Hosts', 'Host: a\r\nHost: evil\r\n'],
    ['two Hosts by another case', 'Host: a\r\nhOST: a\r\n'],
    ['no Host', ''],
  ])('%s are a 400', async (_name, headers) => {
    const { status, body } = await ask('GET', '/healthz', headers);
    expect([status, body.detail.code, body.detail.param]).toEqual([400, 'invalid_request', 'Host']);
  });

  it('an expectation that is unknown is a 417, and the usual one is met', async () => {
    const unknown = await ask('GET', '/healthz', 'Host: a\r\nExpect: 200-maybe\r\n');
    expect([unknown.status, unknown.body.detail]).toMatchObject([
      417,
      { code: 'invalid_request', param: 'Expect' },
    ]);
    expect(unknown.head.toLowerCase()).toContain(`x-request-id: ${unknown.body.detail.request_id}`);
    const { status } = await ask('GET', '/healthz', 'Host: a\r\nExpect: 100-Continue\r\n');
    expect(status).toBe(100);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'invalid_request'],
    ['a long URL', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'request_too_large'],
    [
      'long headers',
      `GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
      431,
      'request_too_large',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'invalid_request',
    ],
  ])("Node's own refusal of %s has our shape", async (_name, text, status, code) => {
    const answer = await sendRaw(text);
    expect([answer.status, answer.body.detail.code]).toEqual([status, code]);
    expect(answer.head.toLowerCase()).toContain(`x-request-id: ${answer.body.detail.request_id}`);
  });

  it.each([
    ['that cannot be decoded', '/v1/models/%zz', 400, 'invalid_request'],
    ['with a part that is too long', `/v1/batches/${'a'.repeat(300)}`, 400, 'invalid_request'],
    ['with a task that cannot be decoded', '/v1/video/generations/%zz?model=m', 502, 'task_not_found'],
    [
      'with a task that is too long',
      `/videonative/api/v3/contents/generations/tasks/${'a'.repeat(300)}`,
      502,
      'task_not_found',
    ],
  ])('a path %s is answered with a request id', async (_name, path, status, code) => {
    const answer = await ask('GET', path);
    expect([answer.status, answer.body.detail.code]).toEqual([status, code]);
    expect(answer.head.toLowerCase()).toContain(`x-request-id: ${answer.body.detail.request_id}`);
  });

  it.each(['/docs', '/docs/', '/docs/swagger-ui-init.js', '/docs/nothing'])(
    '%s runs in no frame',
    async (path) => {
      const { head } = await ask('GET', path);
      expect(head).toMatch(/\r\ncontent-security-policy: default-src 'none';[^\r]*frame-ancestors 'none'\r/i);
      expect(head).toMatch(/\r\nx-content-type-options: nosniff\r/i);
    },
  );

  it('T32: serves nothing that is not described', async () => {
    expect((await ask('GET', '/docs-yaml')).status).toBe(404);
  });

  it('logs none of it as a fault', () => {
    expect(logged.filter((line) => line.includes('unexpectedly'))).toEqual([]);
  });
});

it('M8: what wants no key is shared by address, and health is not', async () => {
  const strangers = new FairShare(
    { perSecond: 1, burst: 0, atOnce: 1, waiting: 0 },
    () => 0,
    async () => 0,
  );
  const closed = await start('127.0.0.1', Object.assign(new FreeShares(), { strangers }));
  const ask = async (path: string) => (await fetch(closed.address + path)).status;
  expect(await Promise.all(['/openapi.json', '/docs', '/metrics', '/nothing', '/'].map(ask))).toEqual([
    429, 429, 429, 429, 429,
  ]);
  expect(await Promise.all(['/healthz', '/readyz'].map(ask))).toEqual([200, 200]);
  await closed.close();
});

describe('a wish to upgrade', () => {
  const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
  const HANDSHAKE =
    'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  it.each(['/v1/realtime?model=m', `${LIVE}?key=x`, `/${LIVE}?key=x`])('to %s wants a key', async (path) => {
    const { status, body } = await sendRaw(`GET ${path} HTTP/1.1\r\n${HANDSHAKE}\r\n`);
    expect([status, body.detail.code]).toEqual([401, 'invalid_api_key']);
  });
});

it('a host that is no address of this machine ends the start with a sentence that names the setting', async () => {
  await expect(start('192.0.2.1')).rejects.toThrow(
    'HOST: 192.0.2.1 is no address of this machine (EADDRNOTAVAIL): set HOST to one, such as 127.0.0.1 or 0.0.0.0.',
  );
});
