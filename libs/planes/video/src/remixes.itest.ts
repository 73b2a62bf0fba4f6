import { sha256 } from '@mg/contract';
import type { RemixSource } from '@mg/protocols';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { UPSTREAM_KEY, VideoTestBed } from './testing/video-test-bed.js';

describe('a remix', () => {
  let bed: VideoTestBed;
  beforeAll(async () => {
    bed = await VideoTestBed.open();
  });
  afterEach(() => bed.clear());
  afterAll(() => bed.stop());

  async function makeSource(): Promise<RemixSource> {
    const task = await bed.openTask();
    await bed.wake(task);
    const { channelId = '', keyHash, upstreamId = '' } = await bed.waitFor(task, 'succeeded');
    return { videoId: task.publicId, jobId: upstreamId, channelId, keyHash };
  }

  async function remix(remixOf: RemixSource) {
    const order = Buffer.from(JSON.stringify({ prompt: 'a cat at night', seconds: 8, remixOf }));
    const task = await bed.openTask({ order });
    await bed.wake(task);
    return task;
  }

  it('is made by the channel and key that made its source, although another channel is first by now', async () => {
    await bed.setChannels({ type: 'openai', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const source = await makeSource();
    await bed.database.query(
      `insert into channel (id, name, type, base_url, models, priority)
       select gen_random_uuid(), 'first', type, base_url, models, 9 from channel`,
    );
    await bed.startWorker('b');
    const task = await remix(source);
    const done = await bed.waitFor(task, 'succeeded');
    expect(done).toMatchObject({
      channelId: source.channelId,
      keyHash: sha256(UPSTREAM_KEY),
      upstreamData: { remixed_from: source.videoId },
    });
    expect(bed.fake.requests.filter(({ kind }) => kind === 'remix').map(({ path }) => path)).toEqual([
      `/openai/v1/videos/${source.jobId}/remix`,
    ]);
    expect(bed.fake.jobs.at(-1)).toMatchObject({ prompt: 'a cat at night', seconds: 8 });
    expect(await bed.entriesOf(task)).toEqual(['charge -100000000']);
  });

  it('goes nowhere else while that channel is away, and costs nothing', async () => {
    await bed.setChannels({ type: 'openai', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const task = await remix({ videoId: 'v', jobId: 'j', channelId: 'another' });
    expect((await bed.waitFor(task, 'failed')).error).toMatchObject({ status: 503 });
    expect(bed.fake.jobs).toHaveLength(0);
    expect(await bed.entriesOf(task)).toEqual([]);
  });

  it('of a video that its provider has no longer is refused, which no channel is blamed for', async () => {
    await bed.setChannels({ type: 'openai', upstreamModel: 'maker' });
    await bed.startWorker('a');
    const source = await makeSource();
    const task = await remix({ ...source, jobId: 'video_gone' });
    expect((await bed.waitFor(task, 'failed')).error).toMatchObject({ status: 400, param: 'video_id' });
    const next = await bed.waitFor(await remix(source), 'succeeded');
    expect(next.channelId).toBe(source.channelId);
  });
});
