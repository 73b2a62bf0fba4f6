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
});
