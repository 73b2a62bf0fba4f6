import { AuthenticationError } from 'openai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { catchApiError, createOpenAi, HELLO, readAll } from '../clients/openai-client.js';
import { ADMIN, KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

const BODY = JSON.stringify({ model: 'plain', messages: HELLO });

function post(deployment: Deployment, headers: Record<string, string>, query = '') {
  return request(deployment, `/v1/chat/completions${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: BODY,
  });
}

const REQUEST_ID = /"request_id":"[^"]*"/g;

function login(deployment: Deployment, email: string): Promise<Response> {
  return fetch(`${deployment.consoleUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'not-the-password' }),
  });
}

/** Who is let in, by which key in which form. */
export function describeKeys(get: () => Deployment): void {
  describe('keys', () => {
    it.each([
      ['Authorization: Bearer', { authorization: `Bearer ${KEYS.main}` }, ''],
      ['authorization in lower case', { authorization: `bearer ${KEYS.main}` }, ''],
      ['x-api-key', { 'x-api-key': KEYS.main }, ''],
      ['x-goog-api-key', { 'x-goog-api-key': KEYS.main }, ''],
      ['?key=', {}, `?key=${KEYS.main}`],
    ])('are accepted as %s', async (_, headers, query) => {
      const answer = await post(get(), headers as Record<string, string>, query);
      expect(answer.status).toBe(200);
    });

    it('see only the models that they may use', async () => {
      const models = await readAll(createOpenAi(get(), KEYS.restricted).models.list());
      expect(models.map((model) => model.id)).toEqual(['plain']);
      const error = await catchApiError(createOpenAi(get(), KEYS.restricted).models.retrieve('flat'));
      expect([403, 404]).toContain(error.status);
    });

    it('never reach the upstream', async () => {
      await post(get(), { 'x-api-key': KEYS.main, cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' });
      const headers = JSON.stringify(get().upstream.calls.at(-1)?.headers);
      expect(headers).not.toContain(KEYS.main);
      expect(headers).not.toContain('a=b');
      expect(headers).not.toContain('10.0.0.1');
    });

    it.each([
      ['no key', {}],
      ['an unknown key', { authorization: 'Bearer sk-unknown-000000' }],
      ['a disabled key', { authorization: `Bearer ${KEYS.disabled}` }],
      ['an expired key', { authorization: `Bearer ${KEYS.expired}` }],
      ['a quote', { authorization: "Bearer sk-' OR '1'='1" }],
      ['another scheme', { authorization: 'Basic c2s6eA==' }],
      ['an empty key', { authorization: 'Bearer ' }],
      ['a very long key', { authorization: `Bearer sk-${'x'.repeat(8_000)}` }],
      ['Latin letters beyond ASCII', { authorization: 'Bearer sk-\u00e9\u00ff' }],
    ])('401 for %s, in words', async (_, headers) => {
      const answer = await post(get(), headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(answer.failure.detail).toMatchObject({ code: 'invalid_api_key' });
      expect(answer.failure.detail.message.length).toBeGreaterThan(10);
      expect(answer.failure.detail.request_id).toBe(answer.headers.get('x-request-id'));
    });

    it('401 for a doubled ?key', async () => {
      expect((await post(get(), {}, '?key=sk-a&key=sk-b')).status).toBe(401);
    });

    it('reads to the SDK as an authentication error', async () => {
      const error = await catchApiError(
        createOpenAi(get(), 'sk-nobody-0000').chat.completions.create({ model: 'plain', messages: HELLO }),
      );
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' });
      expect(error.message).not.toContain('no body');
    });

    it('of the Console and of the gateway are no keys to each other', async () => {
      const console = await ConsoleClient.asAdmin(get());
      expect((await post(get(), { authorization: `Bearer ${console.jwt}` })).status).toBe(401);
      const answer = await fetch(`${get().consoleUrl}/api/v1/tokens`, {
        headers: { authorization: `Bearer ${KEYS.main}` },
      });
      expect(answer.status).toBe(401);
    });

    it('a wrong Console password is refused as an unknown user is', async () => {
      const [wrong, unknown] = [await login(get(), ADMIN.email), await login(get(), 'nobody@example.com')];
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      const [wrongText, unknownText] = [await wrong.text(), await unknown.text()];
      expect(wrongText.replace(REQUEST_ID, '')).toBe(unknownText.replace(REQUEST_ID, ''));
    });
  });
}
