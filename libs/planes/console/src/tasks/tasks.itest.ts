import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId, parseUsd } from '@mg/contract';
import { TaskLedger } from '@mg/persistence/billing';
import { TaskStore } from '@mg/persistence/video';
import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { TaskView, TaskWithHistoryView } from './task-view.js';

interface List {
  readonly data: readonly TaskView[];
  readonly next_cursor: string | null;
}

let bed: TestBed;
let console: OpenConsole;
let admin: string;
let member: string;
let payer: Payer;
let stranger: Payer;
let ledger: TaskLedger;
/** One of the member's for each way a task can stand, and one of a stranger's. */
/** Stands for the gateway, which serves videos by links. */
let gateway: Server;
const asked: IncomingMessage[] = [];
let ids: { waiting: string; running: string; failed: string; foreign: string };

beforeAll(async () => {
  bed = await makeTestBed();
  gateway = createServer((request, response) => {
    asked.push(request);
    const isPart = request.headers.range !== undefined;
    response.writeHead(isPart ? 206 : 302, {
      'content-type': 'video/mp4',
      'set-cookie': 'a=b',
      location: 'https://provider.example.com/video',
    });
    response.end(isPart ? 'part' : '');
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  console = await bed.open({ environment: { GATEWAY_INTERNAL_URL: `http://127.0.0.1:${port}` } });
  admin = await console.login(ADMIN.email, ADMIN.password);
  payer = await seedPayer(bed.database, { balance: parseUsd('5') });
  stranger = await seedPayer(bed.database, { balance: parseUsd('5') });
  await console.call('PATCH', `/api/v1/users/${payer.userId}`, {
    session: admin,
    body: { password: 'a password of some length' },
  });
  member = await console.login(`${payer.userId}@example.com`, 'a password of some length');
  ledger = new TaskLedger(bed.database);
  ids = {
    waiting: await openOne(payer),
    running: await openOne(payer),
    failed: await openOne(payer),
    foreign: await openOne(stranger),
  };
  for (const id of [ids.running, ids.failed]) await runOne(id);
  await ledger.endTask({
    taskId: ids.failed,
    state: 'failed',
    error: { code: 'content_policy_violation', message: 'Refused.', status: 400 },
    note: 'refused by the provider',
  });
});

afterAll(async () => {
  await bed.stop();
  gateway.close();
});

async function openOne(owner: Payer): Promise<string> {
  const request = buildTaskRequest(owner);
  await ledger.openTask(request);
  return request.task.id;
}

async function runOne(id: string): Promise<void> {
  const store = new TaskStore(bed.database);
  const claimed = await store.claim(id, { worker: 'w', leaseSeconds: 60 });
  if (!claimed) throw new Error('the task could not be claimed');
  const attempt = { channelId: newId(), channelName: 'ark', keyHash: 'h', upstreamModel: 'seedance' };
  await store.markSubmitting(claimed.claim, attempt, 60);
  await store.noteSubmitted(claimed.claim, { id: 'cgt-secret', data: {} }, { nextRunSeconds: 60 });
  await ledger.chargeTask(id);
}

async function list(session: string, query = ''): Promise<List> {
  const { status, body } = await console.call<List>('GET', `/api/v1/tasks${query}`, { session });
  expect(status).toBe(200);
  return body;
}

const idsOf = (answer: List) => answer.data.map((task) => task.id);

describe('the list of tasks', () => {
  it('shows members their own, newest first, and administrators everyone’s', async () => {
    expect(idsOf(await list(member))).toEqual([ids.failed, ids.running, ids.waiting]);
    expect(idsOf(await list(admin))).toEqual([ids.foreign, ids.failed, ids.running, ids.waiting]);
  });

  it('filters by state, model and token', async () => {
    expect(idsOf(await list(admin, '?state=created'))).toEqual([ids.foreign, ids.waiting]);
    expect(idsOf(await list(admin, `?model=${stranger.model}`))).toEqual([ids.foreign]);
    expect(idsOf(await list(admin, `?token_id=${payer.tokenId}&state=submitted`))).toEqual([ids.running]);
    expect(idsOf(await list(member, `?token_id=${stranger.tokenId}`))).toEqual([]);
    const refused = await console.call('GET', '/api/v1/tasks?state=lost', { session: admin });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ detail: { param: 'state' } });
  });

  it('goes on from page to page', async () => {
    const first = await list(member, '?limit=2');
    const second = await list(member, `?limit=2&cursor=${first.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([ids.failed, ids.running, ids.waiting]);
    expect(second.next_cursor).toBeNull();
  });
});

describe('a task', () => {
  it('shows what it cost, how it ended and how it came to that', async () => {
    const { body } = await console.call<TaskWithHistoryView>('GET', `/api/v1/tasks/${ids.failed}`, {
      session: member,
    });
    expect(body).toMatchObject({
      id: ids.failed,
      state: 'failed',
      api: 'generic',
      model: payer.model,
      channel: null,
      upstream_id: null,
      upstream_model: null,
      seconds: 5,
      amount: '0.1',
      charged: '0',
      error: { code: 'content_policy_violation', message: 'Refused.' },
    });
    expect(body.finished_at).not.toBeNull();
    expect(body.history.map(({ state, note }) => [state, note])).toEqual([
      ['created', ''],
      ['submitting', ''],
      ['submitted', ''],
      ['failed', ''],
    ]);
    const shown = await console.call<TaskWithHistoryView>('GET', `/api/v1/tasks/${ids.failed}`, {
      session: admin,
    });
    expect(shown.body.channel).toBe('ark');
    expect(shown.body.history.map(({ note }) => note)).toEqual([
      'cost held',
      'to channel ark',
      '',
      'refused by the provider',
    ]);
  });

  it('shows its charge as soon as a provider has it, and the provider’s id to administrators only', async () => {
    const show = async (session: string, id: string) =>
      (await console.call<TaskView>('GET', `/api/v1/tasks/${id}`, { session })).body;
    expect(await show(member, ids.waiting)).toMatchObject({
      charged: null,
      channel: null,
      finished_at: null,
    });
    expect(await show(member, ids.running)).toMatchObject({ charged: '0.1', upstream_id: null });
    expect(await show(admin, ids.running)).toMatchObject({ upstream_id: 'cgt-secret' });
  });

  it('of somebody else is not there', async () => {
    for (const id of [ids.foreign, newId(), 'none']) {
      const { status } = await console.call('GET', `/api/v1/tasks/${id}`, { session: member });
      expect(status).toBe(404);
    }
  });

  it('is named by its lines in the ledger', async () => {
    const { body } = await console.call<{ data: { kind: string; task_id: string | null }[] }>(
      'GET',
      `/api/v1/wallets/${payer.walletId}/entries`,
      { session: member },
    );
    const lines = body.data.filter((entry) => entry.task_id === ids.failed).map((entry) => entry.kind);
    expect(lines).toEqual(['refund', 'charge']);
  });
});

describe('the video of a task', () => {
  async function succeed(id: string): Promise<string> {
    await bed.database.query(
      `update task set state = 'succeeded', finished_at = now(), result = '{"url": "https://provider.example.com/video"}'
        where id = $1`,
      [id],
    );
    const { body } = await console.call<TaskView>('GET', `/api/v1/tasks/${id}`, { session: member });
    return body.public_id;
  }

  it('is linked to for whoever may see a task that succeeded', async () => {
    const link = (session: string, id: string) =>
      console.call('GET', `/api/v1/tasks/${id}/content`, { session });
    expect((await link(member, ids.waiting)).status).toBe(404);
    const publicId = await succeed(ids.running);
    const { status, body } = await link(member, ids.running);
    expect(status).toBe(200);
    expect(body['url']).toMatch(new RegExp(`^/api/v1/finished-videos/${publicId}\\?token=`));
    expect(Date.parse(String(body['expires_at']))).toBeGreaterThan(Date.now());
    expect(JSON.stringify(body)).not.toContain('provider');
    expect((await link(admin, ids.running)).status).toBe(200);
    await succeed(ids.foreign).catch(() => undefined);
    expect((await link(member, ids.foreign)).status).toBe(404);
  });

  it('is played in ranges, by its link alone, and its provider is named nowhere', async () => {
    const { body } = await console.call('GET', `/api/v1/tasks/${ids.running}/content`, { session: member });
    const url = String(body['url']);
    const part = await console.call('GET', url, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.text, part.headers.get('content-type')]).toEqual([206, 'part', 'video/mp4']);
    expect(part.headers.get('set-cookie')).toBeNull();
    expect(part.headers.get('content-security-policy')).toContain('sandbox');
    expect(asked.at(-1)?.headers).toMatchObject({ range: 'bytes=0-3' });
    expect(asked.at(-1)?.headers.authorization).toBeUndefined();
    expect(asked.at(-1)?.url).toMatch(
      /^\/v1\/video\/generations\/[\w-]+\/content\?expires=\d+&sig=[\w-]+&inline=1$/,
    );
    const redirected = await console.call('GET', url, {});
    expect([redirected.status, redirected.headers.get('location')]).toEqual([503, null]);
    expect(redirected.text).not.toContain('provider.example.com');
  });

  it.each([
    ['without one', (url: string) => url.replace(/\?.*/, '')],
    ['with another signature', (url: string) => url.replace(/.{3}$/, 'AAA')],
    ['of another kind', (url: string) => url.replace(/token=.*/, `token=${member}`)],
    ['of another task', (url: string) => url.replace(/task_\w/, 'task_x')],
  ])('is closed %s', async (_name, change) => {
    const { body } = await console.call('GET', `/api/v1/tasks/${ids.running}/content`, { session: member });
    const before = asked.length;
    const { status } = await console.call('GET', change(String(body['url'])), { session: admin });
    expect([status, asked.length]).toEqual([401, before]);
  });

  it('is closed by the end of the session that the link was made in, and for who is disabled', async () => {
    const login = () => console.login(`${payer.userId}@example.com`, 'a password of some length');
    const linkOf = async (session: string) => {
      const { body } = await console.call('GET', `/api/v1/tasks/${ids.running}/content`, { session });
      return String(body['url']);
    };
    const play = async (url: string) =>
      (await console.call('GET', url, { headers: { range: 'bytes=0-3' } })).status;
    const other = await login();
    const [kept, ended] = [await linkOf(member), await linkOf(other)];
    expect([await play(kept), await play(ended)]).toEqual([206, 206]);
    await console.call('POST', '/api/v1/auth/logout', { session: other });
    expect([await play(kept), await play(ended)]).toEqual([206, 401]);
    const path = `/api/v1/users/${payer.userId}`;
    await console.call('PATCH', path, { session: admin, body: { disabled: true } });
    expect(await play(kept)).toBe(401);
    await console.call('PATCH', path, { session: admin, body: { disabled: false } });
  });

  it('is closed to an administrator who becomes a member and may not see the task', async () => {
    const email = 'second@example.com';
    const password = 'a password of some length';
    const made = await console.call('POST', '/api/v1/users', {
      session: admin,
      body: { email, password, role: 'administrator' },
    });
    const session = await console.login(email, password);
    const { body } = await console.call('GET', `/api/v1/tasks/${ids.running}/content`, { session });
    const headers = { range: 'bytes=0-3' };
    expect((await console.call('GET', String(body['url']), { headers })).status).toBe(206);
    await console.call('PATCH', `/api/v1/users/${String(made.body['id'])}`, {
      session: admin,
      body: { role: 'member' },
    });
    expect((await console.call('GET', String(body['url']), { headers })).status).toBe(401);
  });
});
