import { omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { ConsoleClient, type TokenRow } from '../src/clients/console-client.js';
import { type RawAnswer, request } from '../src/clients/gateway-client.js';
import { createOpenAi, HELLO, readAll } from '../src/clients/openai-client.js';
import { slugWhere } from '../src/deployment/conditions.js';
import { KEYS, SECRETS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { waitUntil } from '../src/wait-until.js';
import { ask, BILLED, endpointOf, GENERIC_VIDEO, NATIVE_VIDEO, pathOf, TWELVE } from './endpoints.js';
import { expectFailure } from './expect-failure.js';

const REFUSED = { status: 401, code: 'invalid_api_key' } as const;
const PROMISE_MS = 1_000;

/** Clients that send their key so, or in the query, are Google's where a path is shared. */
const GOOGLE_FORM = 'x-goog-api-key';

/** Where the key may stand: rule 1, and the forms that the operator contract adds for official SDKs. */
const FORMS: readonly (readonly [
  form: string,
  write: (key: string) => { header?: object; query?: string },
])[] = [
  ['Authorization: Bearer', (key) => ({ header: { authorization: `Bearer ${key}` } })],
  ['x-api-key', (key) => ({ header: { 'x-api-key': key } })],
  [GOOGLE_FORM, (key) => ({ header: { 'x-goog-api-key': key } })],
  ['?key=', (key) => ({ query: `?key=${key}` })],
];

/** Keys that are none, by what is wrong with them. */
const WRONG_KEYS: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['no key', {}],
  ['an unknown key', { authorization: 'Bearer sk-nobody-00000000' }],
  ['a disabled key', { authorization: `Bearer ${KEYS.disabled}` }],
  ['an expired key', { authorization: `Bearer ${KEYS.expired}` }],
  ['the metrics token', { authorization: `Bearer ${SECRETS.metrics}` }],
  ['another scheme', { authorization: `Basic ${KEYS.rules}` }],
];

/** Every path of the gateway that wants a key, with a request that costs nothing. */
const GUARDED = [
  ...BILLED.map((endpoint) => ({
    method: 'POST',
    path: pathOf(endpoint, 'no-such-model'),
    dialect: endpoint.dialect,
  })),
  { method: 'GET', path: `${GENERIC_VIDEO}/no-such-task`, dialect: 'openai' },
  { method: 'GET', path: `${NATIVE_VIDEO}/no-such-task`, dialect: 'openai' },
  { method: 'GET', path: '/v1/models', dialect: 'openai' },
  { method: 'GET', path: '/v1/models/plain', dialect: 'openai' },
  { method: 'GET', path: '/v1/usage', dialect: 'openai' },
  { method: 'GET', path: '/v1beta/models', dialect: 'gemini' },
  { method: 'POST', path: '/v1/messages/count_tokens', dialect: 'anthropic' },
  { method: 'POST', path: '/v1beta/models/plain:countTokens', dialect: 'gemini' },
  { method: 'POST', path: '/v1/models/plain:generateContent', dialect: 'gemini' },
] as const;

/** Specification, section 5: authentication. */
export function describeAuthentication(get: () => Deployment): void {
  const knock = (
    { method, path }: (typeof GUARDED)[number],
    headers: object,
    query = '',
  ): Promise<RawAnswer> =>
    request(get(), path + query, {
      method,
      headers: {
        ...omitUndefined({ 'content-type': method === 'POST' ? 'application/json' : undefined }),
        ...headers,
      },
      ...omitUndefined({ body: method === 'POST' ? '{}' : undefined }),
    });

  describe('section 5, authentication', () => {
    it.each(FORMS)('5, rule 1: %s lets every endpoint know its caller', async (_, write) => {
      for (const guarded of GUARDED) {
        const { header = {}, query } = write(KEYS.rules);
        const answer = await knock(guarded, header, query);
        expect([guarded.path, answer.status]).not.toEqual([guarded.path, 401]);
      }
    });

    it.each(WRONG_KEYS)('5: %s is refused by every endpoint, in the dialect of each', async (_, headers) => {
      for (const guarded of GUARDED) expectFailure(await knock(guarded, headers), guarded.dialect, REFUSED);
    });

    it('5, rule 2: keys are created in the Console and begin with sk-', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const token = await console.demand<TokenRow>('POST', '/tokens', { name: 'rule-2' });
      expect(token.key).toMatch(/^sk-[\w-]{20,}$/);
      await console.demand('DELETE', `/tokens/${token.id}`);
    });

    it('5, rule 3: without allowed models a token may use all that are active, and no others', async () => {
      const ids = (await readAll(createOpenAi(get(), KEYS.rules).models.list())).map(({ id }) => id);
      expect(ids).toEqual(
        expect.arrayContaining(['plain', 'flat', ...TWELVE.map(({ name }) => slugWhere(name, 'works'))]),
      );
      expect(ids.filter((id) => id.includes('retired'))).toEqual([]);
    });

    it('5, rule 3: with allowed models a token may use these alone', async () => {
      const ids = (await readAll(createOpenAi(get(), KEYS.restricted).models.list())).map(({ id }) => id);
      expect(ids).toEqual(['plain']);
      expect((await ask(get(), endpointOf(2), { model: 'plain', key: KEYS.restricted })).status).toBe(200);
      const other = await ask(get(), endpointOf(2), { key: KEYS.restricted });
      expectFailure(other, 'openai', { status: 403, code: 'model_not_allowed', param: 'model' });
    });

    it('5, rules 3 and 4: quota, expiry, rotation, disabling and deletion in the Console act on the key', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('rules');
      const made = await console.demand<TokenRow>('POST', '/tokens', {
        name: 'rule-4',
        wallet_id: wallet.id,
      });
      const change = (body: object) => console.demand('PATCH', `/tokens/${made.id}`, body);
      const expectSoon = (key: string, status: number) =>
        waitUntil(
          `a ${status}`,
          async () => (await ask(get(), endpointOf(2), { key })).status === status,
          PROMISE_MS,
        );
      const first = made.key ?? '';
      await expectSoon(first, 200);
      await change({ spending_quota: '0.000000001' });
      await expectSoon(first, 429);
      await change({ spending_quota: null, expires_at: '2020-01-01T00:00:00Z' });
      await expectSoon(first, 401);
      await change({ expires_at: '2099-01-01T00:00:00Z' });
      await expectSoon(first, 200);
      const { key: second = '' } = await console.demand<TokenRow>('POST', `/tokens/${made.id}/rotate`);
      await expectSoon(first, 401);
      await expectSoon(second, 200);
      await change({ disabled: true });
      await expectSoon(second, 401);
      await change({ disabled: false });
      await expectSoon(second, 200);
      await console.demand('DELETE', `/tokens/${made.id}`);
      await expectSoon(second, 401);
    });

    it('5, rule 5: a JWT of the Console is no API key, on any endpoint', async () => {
      const { jwt } = await ConsoleClient.asAdmin(get());
      for (const [form, write] of FORMS) {
        for (const guarded of GUARDED) {
          const { header = {}, query } = write(jwt);
          const isGoogle =
            guarded.path.startsWith('/v1/models') && (query !== undefined || form === GOOGLE_FORM);
          expectFailure(await knock(guarded, header, query), isGoogle ? 'gemini' : guarded.dialect, REFUSED);
        }
      }
    });

    it.each(['/tokens', '/wallets', '/logs', '/me', '/channels', '/models', '/users', '/tasks', '/usage'])(
      '5, rule 5: an API key opens nothing of the Console: %s',
      async (path) => {
        for (const [, write] of FORMS) {
          const { header = {}, query = '' } = write(KEYS.rules);
          const headers = header as Record<string, string>;
          const answer = await fetch(`${get().consoleUrl}/api/v1${path}${query}`, { headers });
          expect([path, answer.status]).toEqual([path, 401]);
          expect(await answer.json()).toHaveProperty('detail');
        }
      },
    );

    it('5, rule 5: the Console has paths of its own', async () => {
      const { jwt } = await ConsoleClient.asAdmin(get());
      const headers = { authorization: `Bearer ${jwt}` };
      const console = await fetch(`${get().consoleUrl}/api/v1/tokens`, { headers });
      expect(console.status).toBe(200);
      expect((await request(get(), '/api/v1/tokens', { headers })).status).toBe(404);
      const order = { method: 'POST', headers, body: '{}' };
      const chat = await fetch(`${get().consoleUrl}/v1/chat/completions`, order);
      expect(chat.status).toBe(404);
    });

    it('5, rule 7: a client of the chat-completions kind works by {base_url}/v1 and the key', async () => {
      const client = createOpenAi(get(), KEYS.rules);
      expect(client.baseURL).toBe(`${get().gatewayUrl}/v1`);
      const answer = await client.chat.completions.create({ model: 'plain', messages: HELLO });
      expect(answer.object).toBe('chat.completion');
    });
  });
}
