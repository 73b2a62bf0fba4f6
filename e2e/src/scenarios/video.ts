import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const GENERIC = '/v1/video/generations';
const NATIVE = '/videonative/api/v3/contents/generations/tasks';
const CONTENT = [{ type: 'text', text: 'a cat' }];
const PATIENCE_MS = 12_000;

interface TaskBody {
  readonly id: string;
  readonly task_id?: string;
  readonly status: string;
  readonly video_url?: string;
  readonly progress?: number;
  readonly expires_at?: number;
  readonly content?: { readonly video_url: string };
  readonly error?: { readonly code: string; readonly message: string };
  readonly _gateway?: { readonly request_id: string; readonly cost: string; readonly latency_ms: number };
}

function extrasOf({ _gateway: extras }: TaskBody) {
  return extras;
}

/** Video tasks by both APIs: made, paid for, polled, and given back where there is no video. */
export function describeVideo(get: () => Deployment): void {
  describe('video tasks', () => {
    beforeAll(async () => {
      const look = async () => (await authorized(get(), '/v1/models/sandbox-native-video')).status === 200;
      await waitUntil('the sandbox', look);
    });
    describeGeneric(get);
    describeNative(get);
    describeMoney(get);
    describeRefusals(get);
  });
}

function describeGeneric(get: () => Deployment): void {
  it('of the generic API are made, polled and watched in parts, by link and by key', async () => {
    const made = await create(get(), GENERIC, { model: 'sandbox-video', prompt: 'a cat', duration: 4 });
    expect(made.status).toBe(200);
    const task = read(made);
    expect(task).toMatchObject({ task_id: task.id, status: 'queued' });
    expect(extrasOf(task)).toEqual({
      request_id: made.headers.get('x-request-id'),
      cost: made.headers.get('x-gateway-cost'),
      latency_ms: expect.any(Number) as number,
    });
    expect(made.headers.get('x-gateway-model')).toBe('sandbox-video');
    expect(made.headers.get('x-gateway-attempts')).toMatch(/^[01]$/);
    const done = await poll(get(), `${GENERIC}/${task.id}?model=anything`, 'completed');
    expect(done).toMatchObject({ task_id: task.id, progress: 100 });
    expect(done).not.toHaveProperty('_gateway');
    const link = new URL(done.video_url ?? '');
    expect(link.origin).toBe(get().gatewayUrl);
    await expectRanges(get(), `${link.pathname}${link.search}`, {});
    await expectRanges(get(), link.pathname, { authorization: `Bearer ${KEYS.main}` });
    expect((await request(get(), link.pathname)).status).toBe(401);
    const forged = link.search.replace(/expires=\d+/, 'expires=9999999999');
    expect((await request(get(), link.pathname + forged)).status).toBe(403);
  });

  it("of OpenAI's channel show a link that keeps its key", async () => {
    const made = await create(get(), GENERIC, { model: 'video-generic', prompt: 'a cat', seconds: '8' });
    const done = await poll(get(), `${GENERIC}/${read(made).id}`, 'completed');
    const link = new URL(done.video_url ?? '');
    const video = await request(get(), `${link.pathname}${link.search}`);
    expect(video.status).toBe(200);
    expect(video.text).toContain('video of');
    expect([...video.headers.values()].join(' ')).not.toContain('canary');
  });
}

async function expectRanges(
  deployment: Deployment,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const whole = await request(deployment, path, { headers });
  expect(whole.status).toBe(200);
  expect(whole.headers.get('content-type')).toMatch(/^video\//);
  const size = Number(whole.headers.get('content-length'));
  const part = await request(deployment, path, { headers: { ...headers, range: 'bytes=4-7' } });
  expect(part.status).toBe(206);
  expect(part.text).toBe('ftyp');
  expect(part.headers.get('content-range')).toBe(`bytes 4-7/${size}`);
  const beyond = await request(deployment, path, { headers: { ...headers, range: `bytes=${size}-` } });
  expect(beyond.status).toBe(416);
}

function describeNative(get: () => Deployment): void {
  it('of the native API succeed, are listed, and are removed by their owner', async () => {
    const made = await create(get(), NATIVE, {
      model: 'sandbox-native-video',
      content: CONTENT,
      duration: 4,
      ratio: '16:9',
      watermark: false,
    });
    const task = read(made);
    expect(task.status).toBe('queued');
    expect(extrasOf(task)?.request_id).toBe(made.headers.get('x-request-id'));
    const done = await poll(get(), `${NATIVE}/${task.id}`, 'succeeded');
    expect(done.content?.video_url).toContain(`/v1/video/generations/${task.id}/content?`);
    const query = new URLSearchParams({ 'filter.status': 'succeeded', 'filter.task_ids': task.id });
    const listed = await authorized(get(), `${NATIVE}?${query.toString()}`);
    expect(JSON.parse(listed.text)).toMatchObject({ total: 1, items: [{ id: task.id }] });
    const removed = await authorized(get(), `${NATIVE}/${task.id}`, { method: 'DELETE' });
    expect(removed.status).toBe(200);
    const gone = await authorized(get(), `${NATIVE}/${task.id}`);
    expect([gone.status, gone.failure.detail.code]).toEqual([502, 'task_not_found']);
  });

  it('reach their provider as they were sent', async () => {
    const body = { content: CONTENT, duration: 4, camera_fixed: false, seed: 0, brand_new: [null, 0] };
    const made = await create(get(), NATIVE, {
      ...body,
      model: 'video-native',
      callback_url: 'https://example.com/',
    });
    expect(made.status).toBe(200);
    const job = get().jobs.jobs.at(-1);
    expect(job?.body).toEqual({ ...body, model: 'seedance--done-at-once' });
    expect(read(made).id).not.toBe(job?.id);
  });

  it('are watched in the Console from its own address, wherever they are kept', async () => {
    const console = await ConsoleClient.asAdmin(get());
    const orders = [
      [GENERIC, { model: 'sandbox-video', prompt: 'a cat' }, 'completed'],
      [NATIVE, { model: 'video-native', content: CONTENT, duration: 4 }, 'succeeded'],
    ] as const;
    const watch = async ([path, order, status]: (typeof orders)[number]) => {
      const made = await create(get(), path, order);
      await poll(get(), `${path}/${read(made).id}`, status);
      const id = made.headers.get('x-request-id');
      const { url } = await console.demand<{ url: string }>('GET', `/tasks/${id}/content`);
      const headers = { range: 'bytes=4-7' };
      const part = await fetch(get().consoleUrl + url, { headers, redirect: 'manual' });
      return [part.status, await part.text()];
    };
    expect(await Promise.all(orders.map(watch))).toEqual([
      [206, 'ftyp'],
      [206, 'ftyp'],
    ]);
  });

  it('that wait at their provider are cancelled, and their money comes back', async () => {
    get().jobs.script('seedance--never-starts', { polls: ['queued'] });
    const made = await create(get(), NATIVE, { model: 'video-queued', content: CONTENT, duration: 4 });
    const { id } = read(made);
    const listEntries = () => entriesOf(get(), made.headers.get('x-request-id'));
    await waitUntil('the charge', async () => (await listEntries()).length === 1);
    const cancelled = await authorized(get(), `${NATIVE}/${id}`, { method: 'DELETE' });
    expect(cancelled.status).toBe(200);
    const task = read(await authorized(get(), `${NATIVE}/${id}`));
    expect(task).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    await waitUntil('the refund', async () => (await listEntries()).length === 2);
    expect(await listEntries()).toEqual(['charge -0.2', 'refund 0.2']);
  });
}

function describeMoney(get: () => Deployment): void {
  it('are charged once, by their resolution, and the same key is the same task', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { model: 'video-native', prompt: 'a cat', duration: 5, resolution: '1080P' };
    const [first, second] = await Promise.all([
      create(get(), GENERIC, body, headers),
      create(get(), GENERIC, body, headers),
    ]);
    expect(second.text).toBe(first.text);
    expect(extrasOf(read(first))?.cost).toBe('0.6');
    const console = await ConsoleClient.asAdmin(get());
    const requestId = first.headers.get('x-request-id') ?? '';
    const log = await waitUntil('the log', () => console.findLog(requestId));
    expect(log).toMatchObject({ cost: '0.6', channel: 'videos-native', endpoint: GENERIC });
    expect(await entriesOf(get(), requestId)).toEqual(['charge -0.6']);
  });

  it('that fail are shown as failed in a 200, and refunded once', async () => {
    get().jobs.script('seedance-that-fails', { polls: ['failed'] });
    const made = await create(get(), GENERIC, { model: 'video-fails', prompt: 'a cat', duration: 5 });
    expect(made.status).toBe(200);
    const failed = await poll(get(), `${GENERIC}/${read(made).id}`, 'failed');
    expect(failed.error?.message).toBeTruthy();
    const requestId = made.headers.get('x-request-id');
    expect(await entriesOf(get(), requestId)).toEqual(['charge -0.25', 'refund 0.25']);
  });

  it('whose submit has an unknown outcome stay queued, ordered once and not charged', async () => {
    const before = get().jobs.requests.filter(({ kind }) => kind === 'create').length;
    const made = await create(get(), GENERIC, { model: 'video-lost', prompt: 'a cat' });
    expect([made.status, read(made).status]).toEqual([200, 'queued']);
    const polled = await authorized(get(), `${GENERIC}/${read(made).id}`);
    expect(read(polled).status).toBe('queued');
    expect(get().jobs.requests.filter(({ kind }) => kind === 'create')).toHaveLength(before + 1);
  });
}

/** A key of another wallet of the same user: those of the configuration file are all the administrator's. */
const makeSecondWallet = () => Promise.resolve(KEYS.poor);

function describeRefusals(get: () => Deployment): void {
  it.each([
    ['that the provider refuses', { model: 'video-refused' }, 400, 'invalid_request'],
    ['F14: that the provider fails to take', { model: 'video-broken' }, 502, 'upstream_error'],
    ['of a provider that nobody reaches', { model: 'video-unreachable' }, 503, 'upstream_unavailable'],
    ['of an unknown model', { model: 'video-none' }, 404, 'model_not_found'],
    ['of a model of another kind', { model: 'plain' }, 404, 'model_not_found'],
    ['without a prompt', { model: 'video-native', prompt: undefined }, 400, 'invalid_request'],
    ['of no length', { model: 'video-native', duration: 0 }, 400, 'invalid_request'],
    [
      'with a callback that anyone can listen to',
      { model: 'video-native', callback_url: 'http://example.com/' },
      400,
      'invalid_request',
    ],
  ])('%s are refused and cost nothing', async (_case, fields, status, code) => {
    const refused = await create(get(), GENERIC, { prompt: 'a cat', ...fields });
    expect([refused.status, refused.failure.detail.code]).toEqual([status, code]);
    expect(refused.failure.error.message).toBe(refused.failure.detail.message);
    expect(await entriesOf(get(), refused.headers.get('x-request-id'))).toEqual([]);
  });

  it('that a provider has no room for may be tried again when it says', async () => {
    const refused = await create(get(), GENERIC, { model: 'video-limited', prompt: 'a cat' });
    expect([refused.status, refused.failure.detail.code]).toEqual([503, 'upstream_unavailable']);
    expect([refused.headers.get('retry-after'), refused.failure.detail.retry_after]).toEqual(['4', 4]);
  });

  it.each([
    ['poor', 402, 'insufficient_balance'],
    ['spentQuota', 429, 'quota_exceeded'],
    ['restricted', 403, 'model_not_allowed'],
    ['disabled', 401, 'invalid_api_key'],
  ] as const)('of a caller who may not have them (%s) are refused', async (key, status, code) => {
    const headers = { authorization: `Bearer ${KEYS[key]}` };
    const refused = await create(get(), GENERIC, { model: 'video-native', prompt: 'a cat' }, headers);
    expect([refused.status, refused.failure.detail.code]).toEqual([status, code]);
  });

  it('name the hints that were left out, or are refused for them where the caller says so', async () => {
    const body = { model: 'video-generic', prompt: 'a cat', duration: 8, seed: 7 };
    const made = await create(get(), GENERIC, body);
    expect([made.status, made.headers.get('x-gateway-dropped')]).toEqual([200, 'seed']);
    const strict = await create(get(), GENERIC, body, { 'x-gateway-strict': '1' });
    expect([strict.status, strict.failure.detail.param]).toEqual([400, 'seed']);
  });

  it.each([
    ['H3: of another wallet of the same user', makeSecondWallet],
    ['of another user', makeStranger],
  ])("%s are nobody's", async (_case, makeKey) => {
    const made = await create(get(), NATIVE, { model: 'video-native', content: CONTENT, duration: 4 });
    const stranger = { authorization: `Bearer ${await makeKey(get())}` };
    const { id } = read(made);
    const asked = [
      await request(get(), `${NATIVE}/${id}`, { headers: stranger }),
      await request(get(), `${NATIVE}/${id}`, { headers: stranger, method: 'DELETE' }),
      await request(get(), `${GENERIC}/${id}/content`, { headers: stranger }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([502, 502, 404]);
    const listed = await request(get(), NATIVE, { headers: stranger });
    expect(JSON.parse(listed.text)).toEqual({ items: [], total: 0 });
  });

  it('of the native API say what is missing', async () => {
    const nested = { metadata: { model: 'video-native' }, content: CONTENT };
    const misplaced = await create(get(), NATIVE, nested);
    expect([misplaced.status, misplaced.failure.detail.param]).toEqual([400, 'model']);
    expect(misplaced.failure.detail.message).toContain('top level');
    const foreign = await create(get(), NATIVE, { model: 'video-generic', content: CONTENT });
    expect(foreign.status).toBe(503);
    expect(foreign.failure.detail.message).toContain('videonative');
  });

  it.each([GENERIC, NATIVE])('that nobody has are not found: %s', async (path) => {
    const unknown = await authorized(get(), `${path}/task_00000000000000000000000000000000`);
    expect([unknown.status, unknown.failure.detail.code]).toEqual([502, 'task_not_found']);
    expect((await authorized(get(), `${path}/%00'--`)).status).toBe(502);
    expect((await request(get(), `${path}/task_1`)).status).toBe(401);
  });
}

function create(
  deployment: Deployment,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
) {
  return request(deployment, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function authorized(deployment: Deployment, path: string, init: RequestInit = {}) {
  return request(deployment, path, { ...init, headers: { authorization: `Bearer ${KEYS.main}` } });
}

function read({ text }: { readonly text: string }): TaskBody {
  return JSON.parse(text) as TaskBody;
}

function poll(deployment: Deployment, path: string, status: string): Promise<TaskBody> {
  const look = async () => {
    const answer = await authorized(deployment, path);
    expect(answer.status).toBe(200);
    const task = read(answer);
    return task.status === status && task;
  };
  return waitUntil(`a task that is ${status}`, look, PATIENCE_MS);
}

/** The API key of a user of their own. */
async function makeStranger(deployment: Deployment): Promise<string> {
  const credentials = { email: `${randomUUID()}@example.com`, password: 'canary-stranger-password' };
  const admin = await ConsoleClient.asAdmin(deployment);
  await admin.demand('POST', '/users', { ...credentials, role: 'member' });
  const stranger = await ConsoleClient.login(deployment, credentials);
  const { key } = await stranger.demand<{ key: string }>('POST', '/tokens', { name: 'stranger' });
  return key;
}

/** Entries of the wallet's ledger that name a call, oldest first, as `kind amount`. */
async function entriesOf(deployment: Deployment, requestId: string | null): Promise<string[]> {
  const console = await ConsoleClient.asAdmin(deployment);
  const wallet = await console.findWallet('main');
  const entries = await console.listEntries(wallet.id);
  const own = entries.filter((entry) => entry.request_id === requestId);
  return own.map(({ kind, amount }) => `${kind} ${amount}`).toReversed();
}
