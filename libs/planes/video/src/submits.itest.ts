import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nameInstallation, type NewTask, toKeyHint } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ENCRYPTION_KEY, UPSTREAM_KEY, VideoTestBed } from './testing/video-test-bed.js';

const HOP = '0123456789abcdef';

let bed: VideoTestBed;
beforeAll(async () => {
  bed = await VideoTestBed.open();
});
afterEach(() => bed.clear());
afterAll(() => bed.stop());

describe('M4: a video task whose order came through another gateway', () => {
  it('is submitted with the names of both, so that a loop of two is seen', async () => {
    await bed.setChannels({ type: 'videonative', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const task = await bed.openTask();
    await bed.database.query('update task_order set hops = $2 where task_id = $1', [task.id, HOP]);
    await bed.wake(task);
    await bed.waitFor(task, 'succeeded');
    const submit = bed.fake.requests.find(({ kind }) => kind === 'create');
    expect(submit?.headers['x-gateway-hops']).toBe(`${HOP},${nameInstallation(ENCRYPTION_KEY)}`);
  });

  it('fails with 508 when a gateway on its way knows it already: no other channel is asked, no money is held', async () => {
    const gateway = createServer((request, response) => {
      request.resume();
      response.writeHead(508, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'loop_detected', message: 'The call came back.' } }));
    });
    gateway.listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    try {
      const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
      await bed.setChannels(
        { type: 'videonative', upstreamModel: 'film', baseUrl },
        { type: 'videonative', upstreamModel: 'maker' },
      );
      await bed.startWorker('b');
      const task = await bed.openTask();
      await bed.wake(task);
      const failed = await bed.waitFor(task, 'failed');
      expect(failed.error).toMatchObject({ code: 'loop_detected', status: 508 });
      expect(await bed.entriesOf(task)).toEqual([]);
      const [hold] = await bed.database.query('select state from hold where id = $1', [task.id]);
      expect(hold.state).toBe('voided');
    } finally {
      gateway.closeAllConnections();
      gateway.close();
    }
  });
});

describe('a video task whose channel has limits', () => {
  const LIMITED = { type: 'openai', upstreamModel: 'maker', limits: { rpm: 1 } } as const;
  const submit = async (changes: Partial<NewTask> = {}) => {
    const task = await bed.openTask(changes);
    await bed.wake(task);
    return task;
  };
  const isPutOff = async ({ id }: NewTask) => {
    const [row] = await bed.database.query<{ is_put_off: boolean }[]>(
      `select next_run_at > now() + interval '10 seconds' and claimed_until is null as is_put_off from task where id = $1`,
      [id],
    );
    return row?.is_put_off;
  };

  it('waits in its queue while that is at its rate, and is submitted once there is room', async () => {
    await bed.setChannels(LIMITED);
    await bed.giveOutLimits();
    await bed.startWorker('a');
    await bed.waitFor(await submit(), 'succeeded');
    const waiting = await submit();
    await expect.poll(() => isPutOff(waiting), { timeout: 15_000 }).toBe(true);
    expect([(await bed.read(waiting)).state, bed.submits]).toEqual(['created', 1]);
    await bed.database.query(`update channel set limits = '{}'`);
    await bed.waitFor(waiting, 'succeeded');
    expect(bed.submits).toBe(2);
  });

  it('takes nothing from what the next channel has for others where that cannot carry it', async () => {
    await bed.setChannels(LIMITED, LIMITED);
    await bed.giveOutLimits();
    await bed.startWorker('a');
    await bed.waitFor(await submit(), 'succeeded');
    const unsuited = await submit({
      order: Buffer.from('{"prompt":"a cat","seconds":8,"image":"http://127.0.0.1:1/none.png"}'),
    });
    await expect.poll(() => isPutOff(unsuited), { timeout: 15_000 }).toBe(true);
    const done = await bed.waitFor(await submit(), 'succeeded');
    expect([done.channelName, bed.submits]).toEqual(['channel-1', 2]);
  });

  it('goes to the next channel, which has room', async () => {
    await bed.setChannels(LIMITED, { type: 'openai', upstreamModel: 'maker' });
    await bed.giveOutLimits();
    await bed.startWorker('a');
    const done = [];
    for (let order = 0; order < 2; order++) done.push(await bed.waitFor(await submit(), 'succeeded'));
    expect(done.map(({ channelName }) => channelName)).toEqual(['channel-0', 'channel-1']);
  });
});

describe('the submits of a video task', () => {
  const FAILING = { type: 'openai', upstreamModel: 'refuse-401' } as const;
  const readFigures = () =>
    bed.database.query<Record<string, unknown>[]>(
      `select c.name, f.served::integer, f.failed::integer, f.key, f.failed_status, f.failed_reason,
              cardinality(f.whole_ms) > 0 as timed
         from attempt_figures f join channel c on c.id = f.channel_id where f.model = $1 order by c.name`,
      [bed.payer.model],
    );

  it('are attempts: of their channels, in the log, and for the alert of a channel that fails', async () => {
    await bed.setChannels(FAILING, { type: 'openai', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const task = await bed.openTask();
    await bed.wake(task);
    const { attempts } = await bed.waitFor(task, 'succeeded');
    expect(attempts).toEqual([
      {
        channel: 'channel-0',
        outcome: 'failed',
        status: 401,
        latency_ms: expect.any(Number),
        reason: expect.stringMatching(/^priority 0, the only one; status 401: The API key/),
      },
      {
        channel: 'channel-1',
        outcome: 'served',
        status: 200,
        latency_ms: expect.any(Number),
        reason: 'priority -1, the only one, after 1 other',
      },
    ]);
    await bed.closeWorkers();
    const key = toKeyHint(UPSTREAM_KEY);
    expect(await readFigures()).toEqual([
      expect.objectContaining({
        name: 'channel-0',
        served: 0,
        failed: 1,
        key,
        failed_status: 401,
        timed: false,
      }),
      expect.objectContaining({
        name: 'channel-1',
        served: 1,
        failed: 0,
        key,
        failed_status: null,
        timed: true,
      }),
    ]);
    const { conditions } = await new ConsoleStore(bed.database.manager).conditions.failingChannels(1);
    expect(conditions.map(({ facts }) => [facts.name, facts.status])).toEqual([['channel-0', 401]]);
  });

  it('count as failed, once, where the polls of what they brought fail again and again', async () => {
    await bed.setChannels({ type: 'openai', upstreamModel: 'maker' });
    bed.fake.script('maker', { polls: [{ status: 503, text: '<html>' }] });
    await bed.startWorker('a');
    const task = await bed.openTask();
    await bed.wake(task);
    await bed.waitFor(task, 'submitted');
    const polled = async () => {
      await bed.hurry(task);
      return (await bed.read(task)).pollFailures;
    };
    await expect.poll(polled, { timeout: 15_000 }).toBeGreaterThan(3);
    await bed.closeWorkers();
    expect(await readFigures()).toEqual([
      expect.objectContaining({
        served: 1,
        failed: 1,
        failed_status: null,
        failed_reason: 'a poll brought no usable answer: the provider answered 503: <html>',
      }),
    ]);
  });

  it('are no more than a channel may have tasks at the same time, whichever workers submit them', async () => {
    await bed.setChannels({ type: 'openai', upstreamModel: 'never-ends', limits: { concurrency: 2 } });
    await Promise.all(['a', 'b'].map((name) => bed.startWorker(name)));
    const tasks = await Promise.all(Array.from({ length: 6 }, () => bed.openTask()));
    await Promise.all(tasks.map((task) => bed.wake(task)));
    const isWaiting = async ({ id }: NewTask) => {
      const [row] = await bed.database.query<{ is_waiting: boolean }[]>(
        `select state = 'created' and claimed_until is null and next_run_at > now() as is_waiting from task where id = $1`,
        [id],
      );
      return row?.is_waiting ?? false;
    };
    const countWaiting = async () => (await Promise.all(tasks.map(isWaiting))).filter(Boolean).length;
    await expect.poll(countWaiting, { timeout: 15_000 }).toBe(4);
    expect(bed.submits).toBe(2);
    const running = tasks[(await Promise.all(tasks.map(isWaiting))).indexOf(false)] as NewTask;
    await bed.passDeadline(running);
    await bed.waitFor(running, 'expired');
    const waiting = tasks[(await Promise.all(tasks.map(isWaiting))).indexOf(true)] as NewTask;
    await bed.waitFor(waiting, 'submitted', 'running');
    expect(bed.submits).toBe(3);
    // A task of which the provider has told nothing for ten polls gives up its place.
    await bed.database.query('update task set poll_failures = 10 where id = $1', [waiting.id]);
    const next = tasks[(await Promise.all(tasks.map(isWaiting))).indexOf(true)] as NewTask;
    await bed.wake(next);
    await bed.waitFor(next, 'submitted', 'running');
    expect(bed.submits).toBe(4);
  });
});
