import { describe, expect, it } from 'vitest';
import { request } from '../../clients/gateway-client.js';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';

const CLIENTS = [
  ['OpenAI', { authorization: `Bearer ${KEYS.main}` }, '', { object: 'list' }, { id: 'chat/works' }],
  [
    'Anthropic',
    { 'x-api-key': KEYS.main, 'anthropic-version': '2023-06-01' },
    '',
    { has_more: false },
    { type: 'model', id: 'chat/works' },
  ],
  [
    'Google',
    { 'x-goog-api-key': KEYS.main },
    '',
    { models: expect.any(Array) as object },
    { name: 'models/chat/works' },
  ],
  [
    'Google, by its query',
    {},
    `?key=${KEYS.main}`,
    { models: expect.any(Array) as object },
    { name: 'models/chat/works' },
  ],
] as const;

const CALLS = [
  ['generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }, 'chat/works'],
  ['streamGenerateContent', { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }, 'chat/works'],
  ['countTokens', { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }, 'chat/works'],
  ['embedContent', { content: { parts: [{ text: 'a river' }] } }, 'embedding/works'],
  ['batchEmbedContents', { requests: [{ content: { parts: [{ text: 'a river' }] } }] }, 'embedding/works'],
] as const;

/** Paths under `/v1` that clients of several protocols use. */
export function describeModelPaths(get: () => Deployment): void {
  describe('clients 1: what several protocols have under /v1', () => {
    it.each(CLIENTS)('lists and shows models in the shape of %s', async (_, headers, query, list, one) => {
      const listed = await request(get(), `/v1/models${query}`, { headers });
      expect(JSON.parse(listed.text)).toMatchObject(list);
      const shown = await request(get(), `/v1/models/chat/works${query}`, { headers });
      expect(JSON.parse(shown.text)).toMatchObject(one);
      const unknown = await request(get(), `/v1/models/chat/nothing:latest${query}`, { headers });
      expect(unknown.status).toBe(404);
    });

    it.each(CALLS)("serves Google's :%s as under /v1beta", async (method, body, model) => {
      const [stable, beta] = await Promise.all(
        ['v1', 'v1beta'].map((version) =>
          request(get(), `/${version}/models/${model}:${method}`, {
            method: 'POST',
            headers: { 'x-goog-api-key': KEYS.main, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        ),
      );
      expect([stable?.status, beta?.status]).toEqual([200, 200]);
      const shape = (text = '') => Object.keys([JSON.parse(text)].flat()[0] as object);
      expect(shape(stable?.text)).toEqual(shape(beta?.text));
    });

    it("reports errors there in Google's shape, of unknown paths too", async () => {
      const headers = { 'x-goog-api-key': KEYS.main, 'content-type': 'application/json' };
      for (const path of ['/v1/models/plain:predict', '/v1/tunedModels']) {
        const answer = await request(get(), path, { method: 'POST', headers, body: '{}' });
        expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
      }
    });

    it("names calls in the header that Anthropic's SDKs read, in answers, streams and errors", async () => {
      const ask = (body: object) =>
        request(get(), '/v1/messages', {
          method: 'POST',
          headers: { 'x-api-key': KEYS.main, 'content-type': 'application/json' },
          body: JSON.stringify({ max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }], ...body }),
        });
      for (const body of [{ model: 'plain' }, { model: 'plain', stream: true }, { model: 'no-such-model' }]) {
        const { headers } = await ask(body);
        expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
        expect(headers.get('request-id')).not.toBe(null);
      }
    });
  });
}
