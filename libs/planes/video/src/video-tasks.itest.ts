import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NewTask, sha256 } from '@mg/contract';
import { deriveTaskKey, deriveWebhookSecret } from '@mg/protocols';
import { writeFakeVideo } from '@mg/testkit';
import { signWebhook } from '@mg/transport';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ENCRYPTION_KEY, UPSTREAM_KEY, VideoTestBed } from './testing/video-test-bed.js';

const NATIVE_BODY = JSON.stringify({
  content: [{ type: 'text', text: 'a cat' }],
  duration: 5,
  watermark: false,
});

describe('a video task', () => {
  let bed: VideoTestBed;
  beforeAll(async () => {
    bed = await VideoTestBed.open();
  });
  afterEach(() => bed.clear());
  afterAll(() => bed.stop());

  const openAndWake = async (changes: Partial<NewTask> = {}) => {
    const task = await bed.openTask(changes);
    await bed.wake(task);
    return task;
  };

  it.each([
    ['generic', 'openai', '{"prompt":"a cat","seconds":8}'],
    ['native', 'videonative', NATIVE_BODY],
  ] as const)(
    'of the %s API is submitted once, charged, polled and finished',
    async (apiVariant, type, order) => {
      await bed.setChannels({ type, upstreamModel: 'maker' });
      await bed.startWorker('a');
      const task = await openAndWake({ apiVariant, order: Buffer.from(order) });
      const done = await bed.waitFor(task, 'succeeded');
      expect(bed.fake.jobs).toHaveLength(1);
      expect(done).toMatchObject({ channelName: 'channel-0', keyHash: sha256(UPSTREAM_KEY), progress: 100 });
      expect(done.upstreamId).toBe(bed.fake.jobs[0]?.id);
      expect(done.charged).toBe(100_000_000n);
      expect(await bed.entriesOf(task)).toEqual(['charge -100000000']);
    },
  );

  it("of the native API reaches its provider as it was sent, and is answered in its provider's format", async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const done = await bed.waitFor(
      await openAndWake({ apiVariant: 'native', order: Buffer.from(NATIVE_BODY) }),
      'succeeded',
    );
    expect(bed.fake.jobs[0]?.body).toEqual({ ...JSON.parse(NATIVE_BODY), model: 'maker' });
    expect(done.result?.native).toMatchObject({ status: 'succeeded' });
  });

  it('that its provider refuses costs nothing and reports why', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker--refuse-policy' });
    await bed.startWorker('a');
    const task = await openAndWake();
    const done = await bed.waitFor(task, 'failed');
    expect(done.error?.status).toBe(400);
    expect(done.submittedAt).toBeUndefined();
    expect(await bed.entriesOf(task)).toEqual([]);
  });

  it('goes to the next channel when the first refuses for its own reasons or cannot be reached', async () => {
    await bed.setChannels(
      { type: 'videonative', upstreamModel: 'maker', baseUrl: 'http://127.0.0.1:1' },
      { type: 'videonative', upstreamModel: 'maker--refuse-401' },
      { type: 'videonative', upstreamModel: 'maker' },
    );
    await bed.startWorker('a');
    const done = await bed.waitFor(await openAndWake(), 'succeeded');
    expect(done.channelName).toBe('channel-2');
    expect(bed.fake.jobs).toHaveLength(1);
  });

  it("F14: goes to the next channel after a provider's own 500", async () => {
    await bed.setChannels(
      { type: 'videonative', upstreamModel: 'maker--break-500-unmade' },
      { type: 'videonative', upstreamModel: 'maker' },
    );
    await bed.startWorker('a');
    const done = await bed.waitFor(await openAndWake(), 'succeeded');
    expect(done.channelName).toBe('channel-1');
  });

  it("F14: fails at once by a provider's own 500, and holds no money", async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker--break-500-unmade' });
    await bed.startWorker('a');
    const task = await openAndWake();
    const refused = await bed.waitFor(task, 'failed');
    expect(refused.error).toMatchObject({ code: 'upstream_error', status: 502 });
    expect(await bed.entriesOf(task)).toEqual([]);
    const [hold] = await bed.database.query('select state from hold where id = $1', [task.id]);
    expect(hold.state).toBe('voided');
  });

  it('F14: is failed by a provider that is overloaded', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker--refuse-503' });
    await bed.startWorker('a');
    const refused = await bed.waitFor(await openAndWake(), 'failed');
    expect(refused.error).toMatchObject({ code: 'upstream_error', status: 502 });
  });

  it('reports when a provider over its limit may be asked again, and does not ask it before', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker--refuse-429' });
    await bed.startWorker('a');
    const refused = await bed.waitFor(await openAndWake(), 'failed');
    expect(refused.error).toMatchObject({ status: 503, retryAfter: 4 });
    await bed.clear();
    await bed.setChannels(
      { type: 'videonative', upstreamModel: 'maker--refuse-429' },
      { type: 'videonative', upstreamModel: 'maker' },
    );
    await bed.startWorker('b');
    const submit = async () => bed.waitFor(await openAndWake(), 'submitted', 'running', 'succeeded');
    await submit();
    expect(bed.submits).toBe(2);
    await submit();
    expect(bed.submits).toBe(3);
    // Four seconds, not the half minute of a provider that names no time.
    await vi.waitFor(
      async () => {
        const before = bed.submits;
        await submit();
        expect(bed.submits - before).toBe(2);
      },
      { timeout: 30_000, interval: 500 },
    );
  });

  it.each(['maker--never-ends', 'maker--drop-made'])(
    'ends with a refund when its channel is deleted (%s)',
    async (upstreamModel) => {
      await bed.setChannels({ type: 'videonative', upstreamModel });
      await bed.startWorker('a');
      const task = await openAndWake();
      await bed.waitFor(task, 'running', 'submit_unknown');
      await bed.database.query('delete from channel');
      const done = await bed.waitFor(task, 'failed');
      expect(done.error?.code).toBe('channel_deleted');
      expect(done.charged ?? 0n).toBe(0n);
      expect(bed.submits).toBe(1);
    },
  );

  it.each(['fails', 'expires', 'cancels', 'no-output'])('that ends as "%s" is refunded once', async (how) => {
    await bed.setChannels({ type: 'videonative', upstreamModel: `maker--${how}` });
    await bed.startWorker('a');
    await bed.startWorker('b');
    const task = await openAndWake();
    const state = ({ expires: 'expired', cancels: 'cancelled' } as const)[how] ?? 'failed';
    const done = await bed.waitFor(task, state);
    expect(done.charged).toBe(0n);
    expect(await bed.entriesOf(task)).toEqual(['charge -100000000', 'refund 100000000']);
  });

  it.each(['drop-made', 'drop-unmade', 'break-500-made', 'garbage-made'])(
    'whose submit has an unknown outcome (%s) is neither repeated nor refunded until its deadline',
    async (how) => {
      await bed.setChannels(
        { type: 'videonative', upstreamModel: `maker--${how}` },
        { type: 'videonative', upstreamModel: 'maker' },
      );
      await bed.startWorker('a');
      const task = await openAndWake();
      await bed.waitFor(task, 'submit_unknown');
      for (let looks = 0; looks < 5; looks++) {
        await bed.hurry(task);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(bed.submits).toBe(1);
      expect(await bed.entriesOf(task)).toEqual([]);
      expect((await bed.read(task)).state).toBe('submit_unknown');
      await bed.passDeadline(task);
      await bed.waitFor(task, 'expired');
      expect(bed.submits).toBe(1);
    },
  );

  it('is asked for no longer than its channel may take, and no other is asked then', async () => {
    await bed.setChannels(
      { type: 'videonative', upstreamModel: 'maker--hang-made', timeouts: { total_ms: 300 } },
      { type: 'videonative', upstreamModel: 'maker' },
    );
    await bed.startWorker('a');
    await bed.waitFor(await openAndWake(), 'submit_unknown');
    expect(bed.submits).toBe(1);
  });

  it.each(['poll-503', 'poll-garbage', 'poll-drops', 'strange'])(
    'goes on through polls that report nothing (%s)',
    async (how) => {
      await bed.setChannels({ type: 'videonative', upstreamModel: `maker--${how}` });
      await bed.startWorker('a');
      const done = await bed.waitFor(await openAndWake(), 'succeeded');
      expect(done.charged).toBe(100_000_000n);
    },
  );

  it('without a result expires at its deadline and is refunded, and a late success changes nothing', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker--never-ends' });
    await bed.startWorker('a');
    const task = await openAndWake();
    await bed.waitFor(task, 'running');
    await bed.passDeadline(task);
    await bed.waitFor(task, 'expired');
    const late = await bed.ledger.endTask({
      taskId: task.id,
      state: 'succeeded',
      result: { url: 'https://example.com/v' },
      note: 'late',
    });
    expect(late).toEqual({ state: 'expired', charged: 0n, ended: false });
    expect(await bed.entriesOf(task)).toEqual(['charge -100000000', 'refund 100000000']);
  });

  it('goes on through the channel that made it, though that was disabled and renamed', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker--slow' });
    await bed.startWorker('a');
    const task = await openAndWake();
    await bed.waitFor(task, 'submitted', 'running');
    await bed.database.query(`update channel set enabled = false, name = 'retired'`);
    await bed.waitFor(task, 'succeeded');
    expect(bed.fake.jobs).toHaveLength(1);
  });

  it('survives the loss of everything that Redis claimed', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const tasks = await Promise.all(Array.from({ length: 8 }, () => openAndWake()));
    const redis = new Redis(bed.services.redisUrl);
    await redis.flushall();
    redis.disconnect();
    for (const task of tasks) await bed.waitFor(task, 'succeeded');
    expect(bed.fake.jobs).toHaveLength(8);
  });

  it('is found by a worker that nobody woke, and driven by one of two alone', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    await bed.startWorker('b');
    const tasks = await Promise.all(Array.from({ length: 12 }, () => bed.openTask()));
    for (const task of tasks) await bed.hurry(task);
    await Promise.all(tasks.flatMap((task) => [bed.wake(task), bed.wake(task)]));
    for (const task of tasks) await bed.waitFor(task, 'succeeded');
    expect(bed.submits).toBe(12);
  });

  it('whose worker died during the submit is not submitted again', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    const task = await bed.openTask();
    const claimed = await bed.store.claim(task.id, { worker: 'dead', leaseSeconds: 60 });
    const [channel] = await bed.database.query<{ id: string }[]>('select id from channel');
    if (!claimed || !channel) throw new Error('nothing to begin with');
    const attempt = {
      channelId: channel.id,
      channelName: 'channel-0',
      keyHash: undefined,
      upstreamModel: 'maker',
    };
    await bed.store.markSubmitting(claimed.claim, attempt, 0);
    await bed.startWorker('a');
    await bed.hurry(task);
    await bed.waitFor(task, 'submit_unknown');
    expect(bed.fake.jobs).toHaveLength(0);
    expect(await bed.entriesOf(task)).toEqual([]);
  });

  it('whose worker died after the submit is charged and polled by the next one', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const made = bed.fake.waitForJob(() => true, 10_000);
    const task = await openAndWake();
    await made;
    await bed.closeWorkers();
    await bed.startWorker('a');
    await bed.waitFor(task, 'succeeded');
    expect(bed.fake.jobs).toHaveLength(1);
    expect(await bed.entriesOf(task)).toEqual(['charge -100000000']);
  });

  it('whose order was taken away, because its caller was told of a failure, is not submitted', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const task = await bed.openTask();
    await bed.database.query('delete from task_order where task_id = $1', [task.id]);
    await bed.wake(task);
    await bed.waitFor(task, 'cancelled');
    expect(bed.submits).toBe(0);
    expect(await bed.entriesOf(task)).toEqual([]);
  });

  it('is warned of hints that were left out, or refused for them where its caller said so', async () => {
    await bed.setChannels({ type: 'openai', upstreamModel: 'sora-2' });
    await bed.startWorker('a');
    const order = { prompt: 'a cat', seconds: 8, seed: 7 };
    const lenient = await openAndWake({ order: Buffer.from(JSON.stringify(order)) });
    const strict = await openAndWake({ order: Buffer.from(JSON.stringify({ ...order, strict: true })) });
    const made = await bed.waitFor(lenient, 'submitted', 'running', 'succeeded');
    expect(made.upstreamData.dropped).toEqual(['seed']);
    const refused = await bed.waitFor(strict, 'failed');
    expect(refused.error).toMatchObject({ code: 'invalid_request', status: 400, param: 'seed' });
    expect(bed.submits).toBe(1);
    await bed.waitFor(lenient, 'succeeded');
  });

  it('that waits at its provider is cancelled when its owner says so', async () => {
    bed.fake.script('maker', { polls: ['queued'] });
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const task = await openAndWake();
    await bed.waitFor(task, 'submitted');
    // Billing that is slow charges at the next poll.
    await vi.waitFor(async () => expect(await bed.entriesOf(task)).toHaveLength(1), { timeout: 30_000 });
    await bed.cancel(task);
    await vi.waitFor(async () => expect((await bed.read(task)).state).toBe('cancelled'), { timeout: 30_000 });
    expect(bed.fake.jobs[0]?.isCancelled).toBe(true);
    expect(await bed.entriesOf(task)).toEqual(['charge -100000000', 'refund 100000000']);
  });

  it('leaves a copy of its result where the operator wants one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'video-results-'));
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a', { RESULT_STORE: 'disk', DATA_DIR: directory });
    const task = await openAndWake();
    const done = await bed.waitFor(task, 'succeeded');
    const name = `${task.id}.mp4`;
    expect(done.result?.stored).toBe(name);
    const kept = await readFile(join(directory, 'results', task.id.slice(-2), name));
    expect(kept).toEqual(writeFakeVideo({ id: bed.fake.jobs[0]?.id ?? '' }));
    await rm(directory, { recursive: true });
  });

  it('calls back its owner, signed, and again until it is taken', async () => {
    const calls: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
    const receiver = createServer((request, response) => void receive(request, response));
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      calls.push({ headers: request.headers, body: await buffer(request) });
      response.writeHead(calls.length === 1 ? 503 : 204).end();
    };
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const task = await openAndWake({ callbackUrl });
    await bed.waitFor(task, 'succeeded');
    await vi.waitFor(
      async () => {
        await bed.database.query(
          'update webhook_delivery set next_attempt_at = now() where next_attempt_at is not null and attempts > 0',
        );
        expect(calls).toHaveLength(2);
      },
      { timeout: 30_000, interval: 200 },
    );
    receiver.close();
    const [first, second] = calls;
    expect(JSON.parse(second?.body.toString() ?? '')).toMatchObject({
      type: 'task.succeeded',
      data: { id: task.publicId, status: 'completed', video_url: expect.stringContaining('http') as string },
    });
    const headers = second?.headers ?? {};
    expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const secret = deriveWebhookSecret(task.tokenId, deriveTaskKey(ENCRYPTION_KEY));
    const expected = signWebhook(
      String(headers['webhook-id']),
      Number(headers['webhook-timestamp']),
      second?.body ?? Buffer.alloc(0),
      [secret],
    );
    expect(headers['webhook-signature']).toBe(expected['webhook-signature']);
  });

  it('does not wait for a receiver that nobody reaches, and calls no private address', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a', { ALLOW_PRIVATE_URLS: 'false' });
    const task = await openAndWake({ callbackUrl: `${bed.fake.url.replace('http:', 'https:')}/hook` });
    await bed.waitFor(task, 'succeeded');
    await vi.waitFor(
      async () => {
        const [row] = await bed.database.query<{ last_error: string | null }[]>(
          'select last_error from webhook_delivery where task_id = $1',
          [task.id],
        );
        expect(row?.last_error).toBe('leads to no public address');
      },
      { timeout: 30_000 },
    );
  });
});
