import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nameInstallation } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCRYPTION_KEY, VideoTestBed } from './testing/video-test-bed.js';

const HOP = '0123456789abcdef';

describe('M4: a video task whose order came through another gateway', () => {
  let bed: VideoTestBed;
  beforeAll(async () => {
    bed = await VideoTestBed.open();
  });
  afterAll(() => bed.stop());

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
    await bed.clear();
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
