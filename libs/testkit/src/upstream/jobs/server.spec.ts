import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGate } from '../gate.js';
import { type FakeJobs, startFakeJobs } from './server.js';
import { writeFakeVideo } from './serve-video.js';

let upstream: FakeJobs;
beforeAll(async () => {
  upstream = await startFakeJobs({ acceptedKeys: ['key-1', 'key-2'] });
});
afterAll(() => upstream.close());
beforeEach(() => upstream.reset());

const TASKS = '/api/v3/contents/generations/tasks';

function ask(path: string, init: RequestInit = {}, key = 'key-1'): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(`${upstream.urlOf('ark')}${path}`, { headers, ...init });
}

function order(prompt: string, init: RequestInit = {}): Promise<Response> {
  const body = { model: 'm', content: [{ type: 'text', text: prompt }], duration: 7 };
  return ask(TASKS, { method: 'POST', body: JSON.stringify(body), ...init });
}

async function readId(response: Response): Promise<string> {
  return ((await response.json()) as { id: string }).id;
}

describe('the ledger', () => {
  it('have every job with its order, and every request with its status', async () => {
    const id = await readId(await order('a river'));
    await ask(`${TASKS}/${id}`);
    expect(upstream.jobs).toMatchObject([
      { id, dialect: 'ark', model: 'm', prompt: 'a river', seconds: 7, key: 'key-1', polls: 1 },
    ]);
    expect(upstream.requests).toMatchObject([
      { kind: 'create', status: 200 },
      { kind: 'poll', status: 200 },
    ]);
  });

  it.each([
    ['break-500-made', 500, 1],
    ['break-500-unmade', 500, 0],
    ['garbage-made', 200, 1],
    ['refuse-402', 403, 0],
  ])('%s answers %i and makes %i jobs', async (behaviour, status, jobs) => {
    expect((await order(`behaviour:${behaviour}`)).status).toBe(status);
    expect(upstream.jobs).toHaveLength(jobs);
  });

  it.each([
    ['drop-made', 1],
    ['drop-unmade', 0],
  ])('%s breaks the connection and makes %i jobs', async (behaviour, jobs) => {
    await expect(order(`behaviour:${behaviour}`)).rejects.toThrow('fetch failed');
    expect(upstream.jobs).toHaveLength(jobs);
    expect(upstream.requests).toMatchObject([{ status: undefined }]);
  });

  it('hang-made makes a job and leaves its client waiting', async () => {
    const client = new AbortController();
    const answer = order('behaviour:hang-made', { signal: client.signal });
    await upstream.waitForJob((job) => job.model === 'm');
    client.abort();
    await expect(answer).rejects.toThrow(/abort/);
  });
});

describe('a job', () => {
  it('takes a step with each poll', async () => {
    const id = await readId(await order('a river'));
    const words: string[] = [];
    for (let poll = 0; poll < 4; poll += 1) {
      const task = (await (await ask(`${TASKS}/${id}`)).json()) as { status: string };
      words.push(task.status);
    }
    expect(words).toEqual(['queued', 'running', 'succeeded', 'succeeded']);
  });

  it('is found by the key that made it, and by no other', async () => {
    const id = await readId(await order('a river'));
    expect((await ask(`${TASKS}/${id}`, {}, 'key-2')).status).toBe(404);
    expect((await ask(`${TASKS}/${id}`, {}, 'key-3')).status).toBe(401);
  });

  it('is cancelled by request', async () => {
    const id = await readId(await order('behaviour:never-ends'));
    await ask(`${TASKS}/${id}`, { method: 'DELETE' });
    expect(await (await ask(`${TASKS}/${id}`)).json()).toMatchObject({ status: 'cancelled' });
  });

  it('goes as a script says, order by order, and waits at its gate', async () => {
    const gate = createGate();
    upstream.script('m', { submit: { kind: 'refuse', reason: 'rate-limited' } }, { wait: gate.wait });
    expect((await order('a river')).status).toBe(429);
    const waiting = order('a river');
    gate.open();
    expect((await waiting).status).toBe(200);
  });
});

describe('a video', () => {
  it('is served whole and in parts', async () => {
    const id = await readId(await order('behaviour:done-at-once'));
    const task = (await (await ask(`${TASKS}/${id}`)).json()) as { content: { video_url: string } };
    const whole = Buffer.from(await (await fetch(task.content.video_url)).arrayBuffer());
    expect(whole.equals(writeFakeVideo({ id }))).toBe(true);
    const part = await fetch(task.content.video_url, { headers: { range: 'bytes=4-7' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 4-7/${whole.length}`);
    expect(await part.text()).toBe('ftyp');
  });
});
