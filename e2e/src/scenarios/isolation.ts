import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '@mg/contract';
import { toFile } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAnthropic } from '../clients/chat/anthropic.js';
import { createGoogle } from '../clients/chat/gemini.js';
import { request } from '../clients/gateway-client.js';
import { createOpenAi } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

/**
 * Whose rows a route of the gateway touches:
 * - `public`: nobody's, without a key.
 * - `models`: what every key may ask for.
 * - `call`: a call that is answered and forgotten, or a task that is made.
 * - `key`: what is shown of the key itself and its wallet.
 * - `list`: tasks and files of the key's wallet.
 * - `task`: one task, file or call of the key's wallet; another wallet's is answered like one that there is not.
 */
type RouteRule = 'public' | 'models' | 'call' | 'key' | 'list' | 'task';

const NATIVE = '/videonative/api/v3/contents/generations/tasks';

const CACHED_CONTENTS = ['v1', 'v1beta'].map((version) => `/${version}/cachedContents`);

const CONVERSATION = '/v1/conversations/{conversation_id}';

const MODEL_METHODS = [
  'generateContent',
  'streamGenerateContent',
  'countTokens',
  'embedContent',
  'batchEmbedContents',
  'batchGenerateContent',
  'asyncBatchEmbedContent',
];

/** A rule for every route. One that is not here fails the test. */
const ROUTE_RULES: Readonly<Record<RouteRule, readonly string[]>> = {
  public: [
    'GET /',
    'GET /api/hello',
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /v1/images/content/{name}',
  ],
  models: ['/v1/models', '/v1beta/models'].flatMap((path) => [`GET ${path}`, `GET ${path}/{model}`]),
  call: [
    'POST /v1/chat/completions',
    'POST /v1/messages',
    'POST /v1/messages/count_tokens',
    'POST /v1/responses',
    'POST /v1/responses/input_tokens',
    'POST /v1/responses/compact',
    'POST /v1/conversations',
    'GET /v1/realtime',
    ...['v1', 'v1beta', 'v1alpha'].map(
      (version) => `GET /ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
    ),
    'POST /v1/completions',
    ...['v1', 'v1beta'].flatMap((version) =>
      MODEL_METHODS.map((verb) => `POST /${version}/models/{model}:${verb}`),
    ),
    'POST /v1/embeddings',
    'POST /v1/images/generations',
    'POST /v1/images/edits',
    'POST /v1/images/variations',
    'POST /v1/audio/transcriptions',
    'POST /v1/audio/translations',
    'POST /v1/audio/speech',
    'POST /v1/moderations',
    'POST /v1/rerank',
    'POST /v1/video/generations',
    'POST /v1/videos',
    'POST /v1/files',
    'POST /v1/uploads',
    ...CACHED_CONTENTS.map((path) => `POST ${path}`),
    'POST /upload/v1/files',
    'POST /upload/v1beta/files',
    'POST /v1/batches',
    'POST /v1/messages/batches',
    `POST ${NATIVE}`,
  ],
  key: [
    'GET /v1/usage',
    ...['/v1/dashboard/billing', '/dashboard/billing'].flatMap((path) =>
      ['subscription', 'usage', 'credit_grants'].map((question) => `GET ${path}/${question}`),
    ),
    'GET /v1/webhooks/secret',
  ],
  list: [
    'GET /v1/videos',
    `GET ${NATIVE}`,
    'GET /v1/files',
    'GET /v1/batches',
    'GET /v1/messages/batches',
    'GET /v1beta/batches',
    'GET /v1beta/files',
    ...CACHED_CONTENTS.map((path) => `GET ${path}`),
  ],
  task: [
    'GET /v1/video/generations/{task_id}',
    'GET /v1/video/generations/{task_id}/content',
    'GET /v1/videos/{video_id}',
    'DELETE /v1/videos/{video_id}',
    'GET /v1/videos/{video_id}/content',
    'POST /v1/videos/{video_id}/remix',
    `GET ${NATIVE}/{task_id}`,
    `DELETE ${NATIVE}/{task_id}`,
    'GET /v1/usage/{request_id}',
    'GET /v1/responses/{response_id}',
    'DELETE /v1/responses/{response_id}',
    'GET /v1/responses/{response_id}/input_items',
    ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${CONVERSATION}`),
    ...['GET', 'POST'].map((method) => `${method} ${CONVERSATION}/items`),
    ...['GET', 'DELETE'].map((method) => `${method} ${CONVERSATION}/items/{item_id}`),
    'GET /v1/files/{file_id}',
    'DELETE /v1/files/{file_id}',
    'GET /v1/files/{file_id}/content',
    'GET /v1beta/files/{file_id}',
    'DELETE /v1beta/files/{file_id}',
    ...['v1', 'v1beta'].flatMap((version) => [
      `GET /${version}/files/{file_id}:download`,
      `GET /download/${version}/files/{file_id}:download`,
    ]),
    ...['parts', 'complete', 'cancel'].map((step) => `POST /v1/uploads/{upload_id}/${step}`),
    ...CACHED_CONTENTS.flatMap((path) =>
      ['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${path}/{content_id}`),
    ),
    'GET /v1/batches/{batch_id}',
    'POST /v1/batches/{batch_id}/cancel',
    'GET /v1beta/batches/{batch_id}',
    ...['v1', 'v1beta'].flatMap((version) => [
      `DELETE /${version}/batches/{batch_id}`,
      `POST /${version}/batches/{batch_id}:cancel`,
    ]),
    'GET /v1/messages/batches/{batch_id}',
    'DELETE /v1/messages/batches/{batch_id}',
    'POST /v1/messages/batches/{batch_id}/cancel',
    'GET /v1/messages/batches/{batch_id}/results',
  ],
};

const UNKNOWN = {
  generic: `task_${'0'.repeat(32)}`,
  native: `cgt-${'0'.repeat(32)}`,
  file: `file-${'0'.repeat(32)}`,
  batch: '0'.repeat(32),
  upload: `upload_${'0'.repeat(32)}`,
  content: '0'.repeat(32),
  media: '0'.repeat(32),
};

/** Two wallets of one user: what belongs to one is not there for the keys of the other. */
export function describeIsolation(get: () => Deployment): void {
  describe('H3, F15: wallets are tenants', () => {
    const ids = { generic: '', native: '', file: '', batch: '', upload: '', content: '', media: '' };

    function ask(route: string, id: string, key?: string, client: Record<string, string> = {}) {
      const [method = '', path = ''] = route.split(' ');
      const headers = omitUndefined({
        authorization: key === undefined ? undefined : `Bearer ${key}`,
        'content-type': method === 'POST' || method === 'PATCH' ? 'application/json' : undefined,
        ...client,
      });
      const body = method === 'POST' || method === 'PATCH' ? { body: '{}' } : {};
      return request(get(), path.replace(/\{[^}]+\}/, id), { method, headers, ...body });
    }

    /** Asks again, as SDKs do, while a key's share of free requests is used up. */
    async function askPatiently(route: string, id: string, key: string) {
      for (;;) {
        const answer = await ask(route, id, key);
        if (answer.status !== 429) return answer;
        await sleep(Number(answer.headers.get('retry-after')) * 1_000);
      }
    }

    async function make(path: string, body: object): Promise<string> {
      const answer = await request(get(), path, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'video-native', ...body }),
      });
      const { id } = JSON.parse(answer.text) as { id: string };
      await waitUntil('the end of a task', async () =>
        /completed|succeeded/.test((await ask(`GET ${path}/{id}`, id, KEYS.main)).text),
      );
      return id;
    }

    async function upload(): Promise<string> {
      const file = await toFile(Buffer.from('{}\n'), 'in.jsonl');
      return (await createOpenAi(get()).files.create({ file, purpose: 'batch' })).id;
    }

    async function uploadMedia(): Promise<string> {
      const file = new Blob(['a text'], { type: 'text/plain' });
      const { name = '' } = await createGoogle(get()).files.upload({ file });
      return name.replace('files/', '');
    }

    async function orderBatch(): Promise<string> {
      const src = [{ contents: 'Hello there' }];
      const { name = '' } = await createGoogle(get()).batches.create({ model: 'plain', src });
      return name.replace('batches/', '');
    }

    beforeAll(async () => {
      ids.file = await upload();
      ids.batch = await orderBatch();
      const begun = { filename: 'in.jsonl', purpose: 'batch', bytes: 3, mime_type: 'text/jsonl' } as const;
      const kept = await createGoogle(get()).caches.create({
        model: 'kept',
        config: { contents: 'A long text.' },
      });
      ids.content = kept.name?.split('/').at(-1) ?? '';
      ids.media = await uploadMedia();
      ids.upload = (await createOpenAi(get()).uploads.create(begun)).id;
      [ids.generic, ids.native] = await Promise.all([
        make('/v1/video/generations', { prompt: 'a cat', duration: 4 }),
        make(NATIVE, { content: [{ type: 'text', text: 'a cat' }], duration: 4 }),
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
        const answers = await Promise.all(routes.map((route) => ask(route, ids.generic)));
        expect(answers.map(({ status }) => status)).toEqual(routes.map(() => 401));
      },
    );

    it.each(ROUTE_RULES.task)('%s finds no task of another wallet', async (route) => {
      for (const face of Object.keys(UNKNOWN) as (keyof typeof UNKNOWN)[]) {
        const [foreign, unknown] = await Promise.all([
          askPatiently(route, ids[face], KEYS.poor),
          askPatiently(route, UNKNOWN[face], KEYS.poor),
        ]);
        const hideId = ({ status, text }: typeof foreign) => [
          status,
          text.replaceAll(/"request_id":"[^"]*"/g, ''),
        ];
        expect(hideId(foreign)).toEqual(hideId(unknown));
        expect(foreign.status).toBeGreaterThanOrEqual(400);
      }
    });

    it.each(ROUTE_RULES.list)('%s lists no task of another wallet', async (route) => {
      const listed = await ask(route, '', KEYS.poor);
      expect(listed.status).toBe(200);
      for (const id of Object.values(ids)) expect(listed.text).not.toContain(id);
    });

    it("Anthropic's clients find no file of another wallet", async () => {
      const client = { 'anthropic-version': '2023-06-01' };
      const file = await toFile(Buffer.from('a text'), 'a.txt', { type: 'text/plain' });
      const { id } = await createAnthropic(get()).beta.files.upload({ file });
      const routes = ['GET /v1/files/{id}', 'DELETE /v1/files/{id}', 'GET /v1/files/{id}/content'];
      for (const route of routes) {
        const [foreign, unknown] = await Promise.all(
          [id, `file_${'0'.repeat(32)}`].map((asked) => ask(route, asked, KEYS.poor, client)),
        );
        expect([foreign?.status, unknown?.status]).toEqual([404, 404]);
      }
      expect((await ask('GET /v1/files', '', KEYS.poor, client)).text).not.toContain(id);
      expect((await ask('GET /v1/files', '', KEYS.main, client)).text).toContain(id);
    });

    it.each(ROUTE_RULES.key)('%s reports each wallet about itself', async (route) => {
      const [own, other] = await Promise.all([ask(route, '', KEYS.main), ask(route, '', KEYS.videos)]);
      expect([own.status, other.status]).toEqual([200, 200]);
      for (const id of Object.values(ids)) expect(other.text).not.toContain(id);
    });

    it('webhooks of each wallet are signed with secrets of its own', async () => {
      const [own, other] = await Promise.all(
        [KEYS.main, KEYS.videos].map((key) => ask('GET /v1/webhooks/secret', '', key)),
      );
      expect(own?.text).not.toBe(other?.text);
    });

    it('every key of the wallet finds its tasks, which are all still there', async () => {
      for (const key of [KEYS.main, KEYS.restricted]) {
        const found = await Promise.all([
          ask('GET /v1/videos/{video_id}', ids.generic, key),
          ask(`GET ${NATIVE}/{task_id}`, ids.native, key),
        ]);
        expect(found.map(({ status }) => status)).toEqual([200, 200]);
      }
    });
  });
}
