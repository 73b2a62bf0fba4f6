import { connect } from 'node:net';
import { omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { postChat, request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

const VALID = { model: 'plain', messages: HELLO };

/** A wrong body and the field that the answer must blame. */
const WRONG_BODIES: readonly (readonly [unknown, string])[] = [
  [{ messages: HELLO }, 'model'],
  [{ ...VALID, model: 5 }, 'model'],
  [{ ...VALID, model: '' }, 'model'],
  [{ model: 'plain' }, 'messages'],
  [{ ...VALID, messages: [] }, 'messages'],
  [{ ...VALID, messages: 'hi' }, 'messages'],
  [{ ...VALID, messages: [null] }, 'messages[0]'],
  [{ ...VALID, messages: [{ role: 'king', content: 'x' }] }, 'messages[0].role'],
  [{ ...VALID, messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
  [{ ...VALID, stream: 'yes' }, 'stream'],
  [{ ...VALID, n: -1 }, 'n'],
  [{ ...VALID, n: 1.5 }, 'n'],
  [{ ...VALID, n: 1e9 }, 'n'],
  [{ ...VALID, max_tokens: -1 }, 'max_tokens'],
  [{ ...VALID, max_tokens: '5' }, 'max_tokens'],
  [{ ...VALID, max_completion_tokens: 2 ** 53 }, 'max_completion_tokens'],
  [{ ...VALID, temperature: 'hot' }, 'temperature'],
  [{ ...VALID, temperature: 99 }, 'temperature'],
  [{ ...VALID, tools: {} }, 'tools'],
  [{ ...VALID, stream_options: 1 }, 'stream_options'],
];

const NOT_JSON = ['', '{', 'null', '[]', '"text"', '{"model":"plain",}', '\u0000', '{"model": NaN}', 'a=b'];

const BODY_OVER_THE_CAP = 40 * 1024 * 1024;

/** Whatever is thrown at the gateway is the sender's mistake: a 4xx in words, never a 5xx, never a crash. */
export function describeHostileInput(get: () => Deployment): void {
  describe('hostile input', () => {
    it.each(WRONG_BODIES)('400 for %j, blaming %s', async (body, param) => {
      const answer = await postChat(get(), body);
      expect(answer.status).toBe(400);
      expect(answer.failure.detail).toMatchObject({ code: 'invalid_request', param });
      expect(answer.failure.error.param).toBe(param);
    });

    it.each(NOT_JSON)('400 for the body %j', async (body) => {
      const answer = await postChat(get(), body);
      expect(answer.status).toBe(400);
      expect(answer.failure.detail.code).toBe('invalid_request');
    });

    it('takes prototypes as data, and refuses depth and doubled names', async () => {
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      const valid = '"model":"plain","messages":[{"role":"user","content":"x"}]';
      const statuses = [
        `"x":${deep}`,
        '"__proto__":{"admin":true}',
        '"constructor":{"prototype":{"a":1}}',
        '"model":"retired"',
        '"Model":"retired"',
      ].map(async (more) => (await postChat(get(), `{${valid},${more}}`)).status);
      expect(await Promise.all(statuses)).toEqual([400, 200, 200, 400, 400]);
    });

    it('413 for a body over the cap', async () => {
      const body = JSON.stringify({ ...VALID, x: 'x'.repeat(BODY_OVER_THE_CAP) });
      const answer = await postChat(get(), body);
      expect(answer.status).toBe(413);
      expect(answer.failure.detail.code).toBe('request_too_large');
    });

    it('404 for a large body to a path that is not there', async () => {
      const body = JSON.stringify({ ...VALID, x: 'x'.repeat(2_000_000) });
      const answer = await request(get(), '/v1/nowhere', {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        body,
      });
      expect([answer.status, answer.failure.detail.code]).toEqual([404, 'not_found']);
    });

    it.each([
      ['GET', '/v1/nowhere', 404],
      ['POST', '/v1/chat/completions/', 404],
      ['POST', '//v1/chat/completions', 404],
      ['POST', '/V1/CHAT/COMPLETIONS', 404],
      ['POST', '/v1/chat/%2e%2e/nowhere', 404],
      ['POST', '/', 405],
      ['GET', '/v1/chat/completions', 405],
      ['DELETE', '/v1/chat/completions', 405],
      ['POST', '/v1/models', 405],
      ['GET', '/v1/models/no-such-model', 404],
    ])('%s %s is %i', async (method, path, status) => {
      const answer = await request(get(), path, {
        method,
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        ...omitUndefined({ body: method === 'POST' ? JSON.stringify(VALID) : undefined }),
      });
      expect(answer.status).toBe(status);
      expect(answer.failure.detail.message).not.toBe('');
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonx',
      'application/octet-stream',
      'x',
    ])('415 for the content type %s', async (contentType) => {
      const answer = await postChat(get(), JSON.stringify(VALID), { 'content-type': contentType });
      expect(answer.status).toBe(415);
      expect(answer.failure.detail.code).toBe('unsupported_media_type');
    });

    it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
      'takes the content type %s',
      async (contentType) => {
        const answer = await postChat(get(), VALID, { 'content-type': contentType });
        expect(answer.status).toBe(200);
      },
    );

    it('makes its own request id, whatever the caller sends', async () => {
      const answer = await postChat(get(), VALID, { 'x-request-id': '<script>', __proto__x: '1' });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('400 for an Idempotency-Key that is too long', async () => {
      const answer = await postChat(get(), VALID, { 'idempotency-key': 'k'.repeat(5_000) });
      expect(answer.status).toBe(400);
      expect(answer.failure.detail.message.toLowerCase()).toContain('idempotency-key');
    });

    it.each([
      ['a header of 64 KB', `GET /v1/models HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(65_536)}\r\n\r\n`],
      ['no HTTP at all', '\u0016\u0003\u0001\u0002\u0000 hello\r\n\r\n'],
      [
        'two lengths',
        'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}',
      ],
      [
        'a length and chunks',
        'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      [
        'a prototype as a header',
        'GET /v1/models HTTP/1.1\r\nhost: x\r\n__proto__: x\r\nconnection: close\r\n\r\n',
      ],
      ['a NUL in a header', 'GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-\u0000\r\n\r\n'],
      [
        'an absolute address',
        'GET http://example.com/v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      ],
    ])('answers %s with a 4xx or by closing', async (_, bytes) => {
      const status = await sendBytes(get().gatewayUrl, bytes);
      expect(status === undefined || (status >= 400 && status < 500)).toBe(true);
    });

    it('has crashed nothing', async () => {
      expect(get().listEnded()).toEqual([]);
      expect((await postChat(get(), VALID)).status).toBe(200);
    });
  });
}

/** Sends bytes over a bare socket. Answers the status of the reply, `undefined` when there was none. */
async function sendBytes(address: string, bytes: string): Promise<number | undefined> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let reply = '';
  socket.on('data', (chunk: Buffer) => {
    reply += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.setTimeout(3_000, () => socket.destroy());
  socket.end(bytes, 'latin1');
  await new Promise((resolve) => socket.on('close', resolve));
  const status = /^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1];
  return status === undefined ? undefined : Number(status);
}
