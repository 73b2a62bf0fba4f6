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

export const NATIVE = '/videonative/api/v3/contents/generations/tasks';

const CACHED_CONTENTS = ['v1', 'v1beta'].map((version) => `/${version}/cachedContents`);

export const CONVERSATION = '/v1/conversations/{conversation_id}';

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
export const ROUTE_RULES: Readonly<Record<RouteRule, readonly string[]>> = {
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

/** What a wallet has, of which each API has its own form of id. */
export const UNKNOWN = {
  generic: `task_${'0'.repeat(32)}`,
  native: `cgt-${'0'.repeat(32)}`,
  file: `file-${'0'.repeat(32)}`,
  media: '0'.repeat(32),
  upload: `upload_${'0'.repeat(32)}`,
  content: '0'.repeat(32),
  batch: `batch_${'0'.repeat(32)}`,
  googleBatch: '0'.repeat(32),
  messageBatch: `msgbatch_${'0'.repeat(32)}`,
  response: `resp_${'0'.repeat(32)}`,
  conversation: `conv_${'0'.repeat(32)}`,
  item: `msg_${'0'.repeat(32)}`,
  request: '00000000-0000-7000-8000-000000000000',
};
export type Kind = keyof typeof UNKNOWN;
export type Ids = Readonly<Record<Kind, string>>;

/** What the routes of the rule `task` are asked for; the first one that fits. */
const KINDS: readonly (readonly [path: RegExp, ...kinds: Kind[]])[] = [
  [/videonative/, 'native', 'generic'],
  [/\/videos?\//, 'generic', 'native'],
  [/\/usage\//, 'request'],
  [/\/responses\//, 'response'],
  [/\/conversations\//, 'conversation'],
  [/\/uploads\//, 'upload'],
  [/\/cachedContents\//, 'content'],
  [/v1beta\/files|:download/, 'media'],
  [/\/files\//, 'file'],
  [/\/messages\/batches\//, 'messageBatch'],
  [/\/batches\//, 'batch', 'googleBatch'],
];

export function kindsOf(route: string): readonly Kind[] {
  const [, ...kinds] = KINDS.find(([path]) => path.test(route)) ?? [];
  if (kinds.length === 0) throw new Error(`nothing is known to ask ${route} for`);
  return kinds as Kind[];
}

export const ITEM = { type: 'message', role: 'user', content: 'Hello there' } as const;
/** Bodies without which a route says what is missing before it looks for anything. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/videos/{video_id}/remix': { prompt: 'a dog' },
  [`POST ${CONVERSATION}`]: { metadata: {} },
  [`POST ${CONVERSATION}/items`]: { items: [ITEM] },
  'POST /v1/uploads/{upload_id}/complete': { part_ids: [`part_${'0'.repeat(32)}`] },
  ...Object.fromEntries(CACHED_CONTENTS.map((path) => [`PATCH ${path}/{content_id}`, { ttl: '3600s' }])),
};

export function bodyOf(route: string): FormData | string | undefined {
  if (/^(?:GET|DELETE) /.test(route)) return undefined;
  if (!route.endsWith('/parts')) return JSON.stringify(BODIES[route] ?? {});
  const form = new FormData();
  form.append('data', new Blob(['{}\n']), 'part');
  return form;
}

/** What is asked for last: what is there no longer afterwards. */
const METHODS = ['GET', 'PATCH', 'POST', 'DELETE'];
export const orderOf = (route: string) => METHODS.indexOf(route.split(' ')[0] ?? '') * 1_000 - route.length;
/** One name for what is one under several versions of an API, where it can be done once. */
export function nameOnce(route: string): string {
  if (/^(?:GET|PATCH) /.test(route)) return route;
  return `${route.replace(/\/v1(?:beta)?\//, '/')} of ${kindsOf(route).join()}`;
}
