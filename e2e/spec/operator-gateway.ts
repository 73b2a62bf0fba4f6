import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../src/clients/console-client.js';
import { type RawAnswer, request } from '../src/clients/gateway-client.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { slugOver, type Wire, WIRES } from '../src/deployment/wires.js';
import { waitUntil } from '../src/wait-until.js';
import {
  ask,
  BILLED,
  type Endpoint,
  endpointOf,
  GENERIC_VIDEO,
  NATIVE_VIDEO,
  pathOf,
  PNG,
  send,
} from './endpoints.js';
import { expectFailure } from './expect-failure.js';

const USD = /^\d+(\.\d{1,9})?$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const [, , ANTHROPIC, GEMINI] = WIRES as readonly [Wire, Wire, Wire, Wire];

const JSON_TYPE = { 'content-type': 'application/json' };
const TURN = { messages: [{ role: 'user', content: 'Hello there' }] };
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }] };

/** Endpoints beyond the twelve that are free, each with a part of its answer. */
const FREE: readonly (readonly [method: string, path: string, body: object | undefined, answer: object])[] = [
  ['GET', '/v1/models', undefined, { object: 'list', data: expect.any(Array) }],
  ['GET', '/v1/models/plain', undefined, { id: 'plain', object: 'model' }],
  ['POST', '/v1/messages/count_tokens', { model: 'plain', ...TURN }, { input_tokens: expect.any(Number) }],
  ['POST', '/v1beta/models/plain:countTokens', CONTENTS, { totalTokens: expect.any(Number) }],
  ['GET', '/v1beta/models', undefined, { models: expect.any(Array) }],
  ['POST', '/v1/models/plain:countTokens', CONTENTS, { totalTokens: expect.any(Number) }],
  ['GET', '/v1/usage', undefined, { data: expect.any(Array) }],
];

/** Paths of the contract as `/openapi.json` writes them. */
const DESCRIBED = [
  ...BILLED.map(({ path }) => path),
  `${GENERIC_VIDEO}/{task_id}`,
  `${NATIVE_VIDEO}/{task_id}`,
  '/v1/models',
  '/v1/models/{model}',
  '/v1/messages/count_tokens',
  '/v1beta/models/{model}:countTokens',
  '/v1beta/models',
  '/v1/models/{model}:generateContent',
  '/v1/models/{model}:streamGenerateContent',
  '/v1/models/{model}:countTokens',
  '/v1/models/{model}:embedContent',
  '/v1/models/{model}:batchEmbedContents',
  '/v1/usage',
];

const MEBIBYTE = 1024 * 1024;

/** What a body may hold at most, in bytes: of JSON, of a recording, of images. */
function capOf({ name, body }: Endpoint): number {
  if (body === 'json') return 20 * MEBIBYTE;
  return (name === 'image-edits' ? 70 : 27) * MEBIBYTE;
}

const OTHER_TYPES = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded'];
const NOT_JSON = ['', '{', 'null', '[]', '"text"', 'a=b'];

/** Operator contract, section 4: the gateway plane beyond the specification. */
export function describeOperatorGateway(get: () => Deployment): void {
  const repeated: RawAnswer[] = [];
  describe('contract 4, the gateway plane', () => {
    it.each(BILLED)(
      '4: an answer of $path tells its id, its cost in USD and its latency',
      async (endpoint) => {
        const { status, headers } = await ask(get(), endpoint);
        expect(status).toBe(200);
        expect(headers.get('x-request-id')).toMatch(ID);
        if (endpoint.name === 'stream-generate') return;
        expect(headers.get('x-gateway-cost')).toMatch(USD);
        expect(Number(headers.get('x-gateway-cost'))).toBeGreaterThan(0);
        expect(headers.get('x-gateway-latency-ms')).toMatch(/^\d+$/);
      },
    );

    it.each(BILLED)('4: Idempotency-Key on $path: one answer, and 409 for another body', async (endpoint) => {
      const headers = { 'idempotency-key': randomUUID() };
      const before = countOrders(get());
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => ask(get(), endpoint, { headers })));
      const again = await ask(get(), endpoint, { headers });
      expect(first?.status).toBe(200);
      for (const answer of [...others, again]) {
        expect([answer.status, answer.text]).toEqual([200, first?.text]);
        for (const name of ['content-type', 'x-gateway-cost', 'x-request-id']) {
          expect([name, answer.headers.get(name)]).toEqual([name, first?.headers.get(name)]);
        }
      }
      expect(countOrders(get())).toBe(before + 1);
      repeated.push(again);
      const other = await ask(get(), endpoint, { headers, fields: { user: 'another' } });
      expectFailure(other, endpoint.dialect, { status: 409, code: 'idempotency_conflict' });
    });

    it('4: Idempotency-Key, whatever the endpoint: one charge, of what the answer said', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const { id } = await console.findWallet('rules');
      const ids = repeated.map(({ headers }) => headers.get('x-request-id'));
      const charges = await waitUntil('every charge', async () => {
        const entries = await console.listEntries(id);
        const own = entries.filter((entry) => entry.kind === 'charge' && ids.includes(entry.request_id));
        return own.length >= repeated.length && own;
      });
      expect(charges.map((entry) => entry.request_id).sort()).toEqual(ids.sort());
      // A stream has no header that could tell its cost.
      const priced = repeated.filter(({ headers }) => headers.has('x-gateway-cost'));
      expect(priced.length).toBeGreaterThanOrEqual(BILLED.length - 1);
      for (const { headers } of priced) {
        const charge = charges.find((entry) => entry.request_id === headers.get('x-request-id'));
        expect(charge?.amount).toBe(`-${headers.get('x-gateway-cost')}`);
      }
    });

    it('4: one Idempotency-Key belongs to one API key', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await ask(get(), endpointOf(2), { headers });
      const stranger = await ask(get(), endpointOf(2), { headers, key: KEYS.main });
      expect([first.status, stranger.status]).toEqual([200, 200]);
      expect(stranger.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    });

    it.each(BILLED)('4: 400 on $path for a body that cannot be read', async (endpoint) => {
      const bodies = endpoint.body === 'json' ? NOT_JSON : ['', '--x\r\n', '--y--\r\n'];
      const headers =
        endpoint.body === 'json' ? JSON_TYPE : { 'content-type': 'multipart/form-data; boundary=x' };
      for (const body of bodies) {
        const answer = await send(get(), 'POST', pathOf(endpoint, 'plain'), { body, headers });
        expectFailure(answer, endpoint.dialect, { status: 400, code: 'invalid_request' });
      }
    });

    it.each(BILLED)('4: 415 on $path for another content type', async (endpoint) => {
      for (const type of OTHER_TYPES) {
        const order = { body: 'x', headers: { 'content-type': type } };
        const answer = await send(get(), 'POST', pathOf(endpoint, 'plain'), order);
        expectFailure(answer, endpoint.dialect, { status: 415, code: 'unsupported_media_type' });
      }
    });

    it.each(BILLED)('4: 413 on $path for a body over the overall cap', async (endpoint) => {
      const headers =
        endpoint.body === 'json' ? JSON_TYPE : { 'content-type': 'multipart/form-data; boundary=x' };
      const answer = await send(get(), 'POST', pathOf(endpoint, 'plain'), {
        body: Buffer.alloc(capOf(endpoint) + 1, 'x'),
        headers,
      });
      expectFailure(answer, endpoint.dialect, { status: 413, code: 'request_too_large' });
    });

    it.each(FREE)('4: %s %s answers, free of charge', async (method, path, body, expected) => {
      const order = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE };
      const answer = await send(get(), method, path, order);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject(expected);
      expect(answer.headers.get('x-request-id')).toMatch(ID);
      expect(answer.headers.get('x-gateway-cost') ?? '0').toBe('0');
    });

    it.each([
      ['/v1/models/no-such-model', 'openai'],
      ['/v1beta/models/no-such-model', 'gemini'],
    ] as const)('4: GET %s is 404', async (path, dialect) => {
      expectFailure(await send(get(), 'GET', path), dialect, { status: 404, code: 'model_not_found' });
    });

    it.each(['/healthz', '/readyz', '/openapi.json', '/docs'])('4: GET %s wants no key', async (path) => {
      const answer = await request(get(), path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-request-id')).toMatch(ID);
    });

    it('4: /openapi.json describes every endpoint', async () => {
      const { paths } = JSON.parse((await request(get(), '/openapi.json')).text) as { paths: object };
      expect(DESCRIBED.filter((path) => !(path in paths))).toEqual([]);
    });

    it('4, conversion: hints without a place are dropped and named, or refused when asked to be strict', async () => {
      const hints = { model: slugOver(ANTHROPIC, 'plain'), fields: { seed: 7 } };
      const lenient = await ask(get(), endpointOf(2), hints);
      expect([lenient.status, lenient.headers.get('x-gateway-dropped')]).toEqual([200, 'seed']);
      const strict = await ask(get(), endpointOf(2), { ...hints, headers: { 'x-gateway-strict': '1' } });
      expectFailure(strict, 'openai', { status: 400, code: 'invalid_request', param: 'seed' });
    });

    it('4, conversion: what would change the meaning is refused by the name of the field', async () => {
      const answer = await ask(get(), endpointOf(2), {
        model: slugOver(ANTHROPIC, 'plain'),
        fields: { n: 2 },
      });
      expectFailure(answer, 'openai', { status: 400, code: 'invalid_request', param: 'n' });
      expect(answer.failure.detail.message).toContain('anthropic');
    });

    it('4, 5: media by URL are fetched from public addresses alone, and a refusal names the field', async () => {
      let knocks = 0;
      const inside = createServer((_, response) => {
        knocks++;
        response.end(PNG);
      });
      inside.listen(0, '127.0.0.1');
      await once(inside, 'listening');
      const { port } = inside.address() as AddressInfo;
      for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
        const content = [{ type: 'image_url', image_url: { url: `http://${host}:${port}/a.png` } }];
        const order = { model: slugOver(GEMINI, 'plain'), fields: { messages: [{ role: 'user', content }] } };
        const answer = await ask(get(), endpointOf(2), order);
        expectFailure(answer, 'openai', { status: 400, code: 'invalid_request' });
        expect([host, answer.failure.detail.param]).toEqual([host, expect.stringMatching(/^messages\[0\]/)]);
      }
      inside.close();
      expect(knocks).toBe(0);
    });

    it('4, errors: what the caller caused upstream is a 400 with the upstream words, our account is never mentioned', async () => {
      for (const model of ['error-400-context', 'error-400-policy', 'error-400-parameter']) {
        const answer = await ask(get(), endpointOf(2), { model });
        expectFailure(answer, 'openai', { status: 400, code: 'invalid_request' });
        expect(answer.failure.detail.upstream_status).toBe(400);
      }
      for (const model of ['error-401', 'error-402', 'error-403', 'error-429']) {
        const answer = await ask(get(), endpointOf(2), { model });
        expect([502, 503]).toContain(answer.status);
      }
    });
  });
}

/** Requests that cost money at the providers. */
function countOrders({ upstream, jobs }: Deployment): number {
  return upstream.calls.length + jobs.requests.filter(({ kind }) => kind === 'create').length;
}
