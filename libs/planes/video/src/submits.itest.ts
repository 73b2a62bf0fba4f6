import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nameInstallation, type NewTask } from '@mg/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ENCRYPTION_KEY, VideoTestBed } from './testing/video-test-bed.js';

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
      order: '{"prompt":"a cat","seconds":8,"image":"http://127.0.0.1:1/none.png"}',
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
