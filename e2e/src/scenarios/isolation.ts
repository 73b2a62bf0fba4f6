import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '@mg/contract';
import { toFile } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTwoUsers } from '../attack/two-users.js';
import { createAnthropic } from '../clients/chat/anthropic.js';
import { createGoogle } from '../clients/chat/gemini.js';
import { request } from '../clients/gateway-client.js';
import { createOpenAi } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';
import {
  bodyOf,
  CONVERSATION,
  type Ids,
  ITEM,
  type Kind,
  kindsOf,
  nameOnce,
  NATIVE,
  orderOf,
  ROUTE_RULES,
  UNKNOWN,
} from './isolation-routes.js';

/** Google's clients alone ask for downloads, which says whose API is meant where two share a path. */
function sign(route: string, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return route.includes(':download') ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}

/** What is not there: of videos by the specification, and of files as Google says it. */
const UNKNOWN_STATUSES = [404, 502, 403];

/** Wallets of one user and of another one: what belongs to one is not there for the keys of the others. */
export function describeIsolation(get: () => Deployment): void {
  describe('H3, F15: wallets are tenants', () => {
    const ids: Record<Kind, string> = { ...UNKNOWN };
    /** Keys of another wallet of the same user, and of another user. */
    const foreignKeys: string[] = [KEYS.videos];

    function ask(route: string, of: Ids, kind?: Kind, key?: string, client: Record<string, string> = {}) {
      const [method = '', path = ''] = route.split(' ');
      const body = bodyOf(route);
      const headers = omitUndefined({
        ...sign(route, key),
        'content-type': typeof body === 'string' ? 'application/json' : undefined,
        ...client,
      });
      const filled = path.replace('{item_id}', of.item).replace(/\{[^}]+\}/, kind ? of[kind] : '');
      return request(get(), filled, omitUndefined({ method, headers, body }));
    }

    /**
     * Asks again, as SDKs do, while a key's share of free requests is used up.
     *
     * @returns status and text without what differs from one answer to the next, and from one id to another.
     */
    async function look(route: string, of: Ids, kind: Kind, key: string) {
      for (;;) {
        const { status, text, headers } = await ask(route, of, kind, key);
        if (status === 429) await sleep(Number(headers.get('retry-after')) * 1_000);
        else
          return [status, text.replaceAll(of[kind], 'ID').replaceAll(/"request_id":"[^"]*"/g, '')] as const;
      }
    }

    async function post(path: string, body: object) {
      const answer = await request(get(), path, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { id } = JSON.parse(answer.text) as { id: string };
      return { id, requestId: answer.headers.get('x-request-id') ?? '' };
    }

    async function orderVideo(path: string, body: object): Promise<string> {
      const { id } = await post(path, { model: 'video-native', ...body });
      await waitUntil('the end of a task', async () =>
        /completed|succeeded/.test(
          (await ask(`GET ${path}/{id}`, { ...ids, generic: id }, 'generic', KEYS.main)).text,
        ),
      );
      return id;
    }

    async function upload(): Promise<void> {
      const openai = createOpenAi(get());
      const file = await toFile(Buffer.from('{}\n'), 'in.jsonl');
      ids.file = (await openai.files.create({ file, purpose: 'batch' })).id;
      const begun = { filename: 'in.jsonl', purpose: 'batch', bytes: 3, mime_type: 'text/jsonl' } as const;
      ids.upload = (await openai.uploads.create(begun)).id;
      const text = new Blob(['a text'], { type: 'text/plain' });
      const { name = '' } = await createGoogle(get()).files.upload({ file: text });
      ids.media = name.replace('files/', '');
    }

    async function orderBatches(): Promise<void> {
      const order = {
        input_file_id: ids.file,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      } as const;
      ids.batch = (await createOpenAi(get()).batches.create(order)).id;
      const src = [{ contents: 'Hello there' }];
      const { name = '' } = await createGoogle(get()).batches.create({ model: 'plain', src });
      ids.googleBatch = name.replace('batches/', '');
      const { role, content } = ITEM;
      const params = { model: 'plain', max_tokens: 50, messages: [{ role, content }] };
      const requests = [{ custom_id: 'one', params }];
      ids.messageBatch = (await createAnthropic(get()).messages.batches.create({ requests })).id;
    }

    async function converse(): Promise<void> {
      const response = await post('/v1/responses', { model: 'plain', input: 'Hello there' });
      ids.response = response.id;
      ids.request = response.requestId;
      ids.conversation = (await post('/v1/conversations', { items: [ITEM] })).id;
      const items = await ask(`GET ${CONVERSATION}/items`, ids, 'conversation', KEYS.main);
      ids.item = (JSON.parse(items.text) as { data: { id: string }[] }).data[0]?.id ?? '';
      await waitUntil('the log', async () => {
        return (await ask('GET /v1/usage/{request_id}', ids, 'request', KEYS.main)).status === 200;
      });
    }

    async function addMember(): Promise<void> {
      const { administrator, member, memberKey } = await createTwoUsers(get());
      const [wallet] = await member.list<{ id: string }>('/wallets');
      const topUp = { amount: '1', note: 'of a test', idempotency_key: randomUUID() };
      await administrator.demand('POST', `/wallets/${wallet?.id}/topups`, topUp);
      foreignKeys.push(memberKey);
    }

    beforeAll(async () => {
      await upload();
      await orderBatches();
      await converse();
      await addMember();
      const kept = await createGoogle(get()).caches.create({
        model: 'kept',
        config: { contents: 'A long text.' },
      });
      ids.content = kept.name?.split('/').at(-1) ?? '';
      [ids.generic, ids.native] = await Promise.all([
        orderVideo('/v1/video/generations', { prompt: 'a cat', duration: 4 }),
        orderVideo(NATIVE, { content: [{ type: 'text', text: 'a cat' }], duration: 4 }),
      ]);
    });

    it('every route has a rule, and every rule a route', async () => {
      const { paths } = JSON.parse((await request(get(), '/openapi.json')).text) as {
        paths: Record<string, object>;
      };
      const routes = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(Object.values(ROUTE_RULES).flat().sort()).toEqual(routes.sort());
    });

    it.each(Object.entries(ROUTE_RULES).filter(([rule]) => rule !== 'public'))(
      'routes of the rule %s are closed without a key',
      async (_rule, routes) => {
        const answers = await Promise.all(routes.map((route) => ask(route, ids, 'generic')));
        expect(answers.map(({ status }) => status)).toEqual(routes.map(() => 401));
      },
    );

    it.each(ROUTE_RULES.task)('%s finds nothing of another wallet, nor of another user', async (route) => {
      for (const key of foreignKeys) {
        for (const kind of kindsOf(route)) {
          const foreign = await look(route, ids, kind, key);
          expect(foreign).toEqual(await look(route, UNKNOWN, kind, key));
          expect(UNKNOWN_STATUSES).toContain(foreign[0]);
        }
      }
    });

    it.each(ROUTE_RULES.list)('%s lists nothing of another wallet, nor of another user', async (route) => {
      for (const key of foreignKeys) {
        const listed = await ask(route, ids, undefined, key);
        expect(listed.status).toBe(200);
        for (const id of Object.values(ids)) expect(listed.text).not.toContain(id);
      }
    });

    it("Anthropic's clients find no file of another wallet", async () => {
      const client = { 'anthropic-version': '2023-06-01' };
      const file = await toFile(Buffer.from('a text'), 'a.txt', { type: 'text/plain' });
      const { id } = await createAnthropic(get()).beta.files.upload({ file });
      const routes = ['GET /v1/files/{id}', 'DELETE /v1/files/{id}', 'GET /v1/files/{id}/content'];
      const own = { ...ids, file: id };
      for (const route of routes) {
        const [foreign, unknown] = await Promise.all(
          [own, UNKNOWN].map((of) => ask(route, of, 'file', KEYS.videos, client)),
        );
        expect([foreign?.status, unknown?.status]).toEqual([404, 404]);
      }
      const list = (key: string) => ask('GET /v1/files', own, undefined, key, client);
      expect((await list(KEYS.videos)).text).not.toContain(id);
      expect((await list(KEYS.main)).text).toContain(id);
    });

    it.each(ROUTE_RULES.key)('%s reports each wallet about itself', async (route) => {
      const [own, other] = await Promise.all(
        [KEYS.main, KEYS.videos].map((key) => ask(route, ids, undefined, key)),
      );
      expect([own?.status, other?.status]).toEqual([200, 200]);
      for (const id of Object.values(ids)) expect(other?.text).not.toContain(id);
    });

    it('webhooks of each wallet are signed with secrets of its own', async () => {
      const [own, other] = await Promise.all(
        [KEYS.main, KEYS.videos].map((key) => ask('GET /v1/webhooks/secret', ids, undefined, key)),
      );
      expect(own?.text).not.toBe(other?.text);
    });

    it('every key of the wallet finds its tasks, which are all still there', async () => {
      for (const key of [KEYS.main, KEYS.restricted]) {
        const found = await Promise.all([
          ask('GET /v1/videos/{video_id}', ids, 'generic', key),
          ask(`GET ${NATIVE}/{task_id}`, ids, 'native', key),
        ]);
        expect(found.map(({ status }) => status)).toEqual([200, 200]);
      }
    });

    it('none of these routes was asked in vain: each finds what its own wallet has', async () => {
      const vain: string[] = [];
      const routes = new Map(ROUTE_RULES.task.map((route) => [nameOnce(route), route]));
      for (const route of [...routes.values()].toSorted((a, b) => orderOf(a) - orderOf(b))) {
        let isFound = false;
        for (const kind of kindsOf(route)) {
          if (isFound) break;
          const [own, unknown] = [
            await look(route, ids, kind, KEYS.main),
            await look(route, UNKNOWN, kind, KEYS.main),
          ];
          isFound = own.join() !== unknown.join();
        }
        if (!isFound) vain.push(route);
      }
      expect(vain).toEqual([]);
    });
  });
}
