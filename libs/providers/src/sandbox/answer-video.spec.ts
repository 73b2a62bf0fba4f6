import { parseObject, type VideoOrder } from '@mg/protocols';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  JobCall,
  JobOrder,
  JobReply,
  JobRequest,
  JobSurface,
  PollResult,
  SubmitResult,
} from '../job-surface.js';
import { writeSampleVideo } from './sample-video.js';
import { videoJobs } from './video-jobs.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const [generic, native] = videoJobs as readonly [JobSurface, JobSurface];

const CALL: JobCall = {
  model: 'sandbox-video',
  baseUrl: 'http://simulated.invalid/v1',
  settings: {},
  apiKey: undefined,
  nowMs: 0,
  obtainToken: async () => '',
  reference: 'task-1',
};

async function send(request: JobRequest): Promise<JobReply & { bytes: Buffer }> {
  const reply = await generic.answer?.(request);
  if (!reply) throw new Error('nobody answers');
  const text = reply.bytes.toString();
  return { ...reply, json: parseObject(text), text };
}

async function submit(prompt: string, change: Partial<VideoOrder> = {}): Promise<SubmitResult> {
  const order: JobOrder = { apiVariant: 'generic', order: { prompt, seconds: 4, ...change } };
  return generic.readSubmit(await send(await generic.submit(order, CALL)), CALL, order);
}

/** What a poll reports so many milliseconds after the order. */
async function lookAfter(prompt: string, afterMs: number): Promise<PollResult> {
  const result = await submit(prompt);
  if (result.kind !== 'accepted') throw new Error(result.message);
  vi.setSystemTime(Date.now() + afterMs);
  return generic.readPoll(await send(await generic.poll(result.job, CALL)), result.job, CALL);
}

describe('a simulated job', () => {
  it.each([
    [100, { kind: 'pending', state: 'submitted', progress: 4 }],
    [1_250, { kind: 'pending', state: 'running', progress: 50 }],
    [2_500, { kind: 'succeeded', actualSeconds: 4 }],
    [86_400_000, { kind: 'succeeded' }],
  ])('after %i ms', async (afterMs, result) => {
    expect(await lookAfter('a river', afterMs)).toMatchObject(result);
  });

  it.each([
    ['[fail]', 2_500, { kind: 'ended', state: 'failed', code: 'OutputVideoSensitiveContentDetected' }],
    ['[expire]', 2_500, { kind: 'ended', state: 'expired' }],
    ['[slow]', 30_000, { kind: 'pending', progress: 50 }],
  ])('a prompt with %s', async (word, afterMs, result) => {
    expect(await lookAfter(`a river ${word}`, afterMs)).toMatchObject(result);
  });

  it.each([
    ['[refuse]', { kind: 'refused', fault: 'caller' }],
    ['[limit]', { kind: 'refused', fault: 'limited' }],
    ['[break]', { kind: 'unclear' }],
  ])('an order with %s', async (word, result) => {
    expect(await submit(`a river ${word}`)).toMatchObject(result);
  });

  it('refuses a length that it cannot make', async () => {
    expect(await submit('a river', { seconds: 16 })).toMatchObject({ kind: 'refused', param: 'duration' });
  });

  it('tells a native caller what the native API would', async () => {
    const body = { model: 'x', content: [{ type: 'text', text: 'a river' }], duration: 6 };
    const order: JobOrder = { apiVariant: 'native', body };
    const call = { ...CALL, model: 'sandbox-native-video' };
    const result = native.readSubmit(await send(await native.submit(order, call)), call, order);
    if (result.kind !== 'accepted') throw new Error(result.message);
    vi.setSystemTime(Date.now() + 3_000);
    const reply = await send(await native.poll(result.job, call));
    expect(await native.readPoll(reply, result.job, call)).toMatchObject({
      result: { native: { status: 'succeeded', duration: 6, simulated: true, content: {} } },
    });
  });

  it('is not found under an id that nobody made', async () => {
    const job = { id: 'sim-00000000-99-made-00000000', data: {} };
    const reply = await send(await generic.poll(job, CALL));
    expect(reply.status).toBe(404);
    expect(await generic.readPoll(reply, job, CALL)).toMatchObject({ kind: 'unclear' });
  });
});

/** The boxes of an MP4 at one level, by name. */
function listBoxes(bytes: Buffer): Map<string, Buffer> {
  const boxes = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const size = bytes.readUInt32BE(at);
    boxes.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + size));
  }
  return boxes;
}

describe('the simulated video', () => {
  it.each([1, 4, 7, 15])('is an MP4 of %i seconds', async (seconds) => {
    const result = await submit('a river', { seconds });
    if (result.kind !== 'accepted') throw new Error(result.message);
    const url = `${CALL.baseUrl}/videos/${result.job.id}/content`;
    const download = await generic.download?.({ url, needsKey: true }, CALL);
    if (!download) throw new Error('it cannot be downloaded');
    const { bytes, headers } = await send(download);
    expect(headers['content-type']).toBe('video/mp4');
    const boxes = listBoxes(bytes);
    expect([...boxes.keys()]).toEqual(['ftyp', 'moov', 'mdat']);
    const clock = listBoxes(boxes.get('moov') ?? Buffer.alloc(0)).get('mvhd');
    expect((clock?.readUInt32BE(16) ?? 0) / (clock?.readUInt32BE(12) ?? 1)).toBe(seconds);
  });

  it('has the same clock in the movie and in its track', () => {
    const clip = writeSampleVideo(5);
    const track = clip.indexOf('mdhd');
    const movie = clip.indexOf('mvhd');
    expect(clip.readUInt32BE(track + 16)).toBe(144_144);
    expect(clip.readUInt32BE(movie + 16)).toBe(144_144);
  });
});
