import { parseObject } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import type { JobCall, JobOrder, JobReply, JobSurface } from './job-surface.js';
import { findProvider } from './registry.js';

const CALL: JobCall = {
  model: 'veo-3.1',
  baseUrl: 'https://provider.example/v1',
  settings: {},
  apiKey: 'the-key',
  nowMs: 0,
  obtainToken: async () => '',
  reference: 'task-1',
};
const ORDER: JobOrder = { apiVariant: 'generic', order: { prompt: 'a river', seconds: 5 } };
const JOB = { id: 'job-1', data: { response_url: 'https://provider.example/r' } };
const URL_OF_VIDEO = 'https://files.example/video.mp4';

function findSurface(type: string): JobSurface {
  const surface = findProvider(type)?.jobs?.find((jobs) => jobs.serves?.(CALL.model) ?? true);
  if (!surface) throw new Error(`${type} makes no videos`);
  return surface;
}

function replyOf(status: number, body: unknown): JobReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: {}, json: parseObject(text), text };
}

type Words = readonly (readonly [word: string, meaning: string])[];

/** Every word that a provider has for a job's state, in a poll that has a video where there could be one. */
const POLLS: readonly (readonly [type: string, words: Words, write: (word: string) => unknown])[] = [
  [
    'videonative',
    [
      ['queued', 'submitted'],
      ['running', 'running'],
      ['succeeded', 'succeeded'],
      ['failed', 'failed'],
      ['cancelled', 'cancelled'],
      ['expired', 'expired'],
    ],
    (status) => ({ id: 'job-1', status, content: { video_url: URL_OF_VIDEO } }),
  ],
  [
    'openai',
    [
      ['queued', 'submitted'],
      ['in_progress', 'running'],
      ['completed', 'succeeded'],
      ['failed', 'failed'],
    ],
    (status) => ({ id: 'job-1', status }),
  ],
  [
    'kling',
    [
      ['submitted', 'submitted'],
      ['processing', 'running'],
      ['succeed', 'succeeded'],
      ['failed', 'failed'],
    ],
    (word) => ({ code: 0, data: { task_status: word, task_result: { videos: [{ url: URL_OF_VIDEO }] } } }),
  ],
  [
    'minimax',
    [
      ['Preparing', 'submitted'],
      ['Queueing', 'submitted'],
      ['Processing', 'running'],
      ['Success', 'elsewhere'],
      ['Fail', 'failed'],
    ],
    (status) => ({ status, file_id: '205', base_resp: { status_code: 0 } }),
  ],
  [
    'runway',
    [
      ['PENDING', 'submitted'],
      ['THROTTLED', 'submitted'],
      ['RUNNING', 'running'],
      ['SUCCEEDED', 'succeeded'],
      ['FAILED', 'failed'],
      ['CANCELLED', 'cancelled'],
    ],
    (status) => ({ id: 'job-1', status, output: [URL_OF_VIDEO] }),
  ],
  [
    'dashscope',
    [
      ['PENDING', 'submitted'],
      ['RUNNING', 'running'],
      ['SUCCEEDED', 'succeeded'],
      ['FAILED', 'failed'],
      ['CANCELED', 'cancelled'],
      ['UNKNOWN', 'expired'],
    ],
    (word) => ({ output: { task_status: word, video_url: URL_OF_VIDEO } }),
  ],
  [
    'fal',
    [
      ['IN_QUEUE', 'submitted'],
      ['IN_PROGRESS', 'running'],
      ['COMPLETED', 'elsewhere'],
    ],
    (status) => ({ status, request_id: 'job-1' }),
  ],
  [
    'replicate',
    [
      ['starting', 'submitted'],
      ['processing', 'running'],
      ['succeeded', 'succeeded'],
      ['failed', 'failed'],
      ['canceled', 'cancelled'],
      ['aborted', 'cancelled'],
    ],
    (status) => ({ id: 'job-1', status, output: URL_OF_VIDEO }),
  ],
];

const CASES = POLLS.flatMap(([type, words, write]) =>
  [...words, ['of_tomorrow', 'running'] as const].map(
    ([word, meaning]) => [type, word, meaning, write] as const,
  ),
);

describe('words for states', () => {
  it.each(CASES)('%s: %s means %s', async (type, word, meaning, write) => {
    const result = await findSurface(type).readPoll(replyOf(200, write(word)), JOB, CALL);
    expect('state' in result ? result.state : result.kind).toBe(meaning);
  });

  it.each<[name: string, body: object, result: object]>([
    ['nothing said', { name: 'models/v/operations/1' }, { kind: 'pending', state: 'running' }],
    ['not done', { name: 'models/v/operations/1', done: false }, { kind: 'pending', state: 'running' }],
    [
      'an error',
      { name: 'o', done: true, error: { code: 3, message: 'no' } },
      { state: 'failed', code: '3' },
    ],
    [
      'no sample',
      {
        name: 'o',
        done: true,
        response: {
          generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['a face'] },
        },
      },
      { state: 'failed', code: 'rai_media_filtered', message: 'a face' },
    ],
  ])('an operation with %s', async (_, body, result) => {
    expect(await findSurface('gemini').readPoll(replyOf(200, body), JOB, CALL)).toMatchObject(result);
  });

  it('a model of fal may refuse its input only at the result', async () => {
    const detail = [{ loc: ['body', 'image_url'], msg: 'Could not be read.', type: 'image_load_error' }];
    const fal = findSurface('fal');
    const done = await fal.readPoll(replyOf(200, { status: 'COMPLETED' }), JOB, CALL);
    if (done.kind !== 'elsewhere') throw new Error('the result does not stand elsewhere');
    expect(await fal.readPoll(replyOf(422, { detail }), done.job, CALL)).toMatchObject({
      kind: 'ended',
      state: 'failed',
      code: 'image_load_error',
    });
    expect(await fal.readPoll(replyOf(200, {}), JOB, CALL)).toMatchObject({ kind: 'unclear' });
  });

  it('a refusal of the poll itself decides nothing', async () => {
    const limited = { status: '', file_id: '', base_resp: { status_code: 1002, status_msg: 'rate limit' } };
    expect(await findSurface('minimax').readPoll(replyOf(200, limited), JOB, CALL)).toMatchObject({
      kind: 'unclear',
    });
    const kling = { code: 1302, message: 'too fast' };
    expect(await findSurface('kling').readPoll(replyOf(200, kling), JOB, CALL)).toMatchObject({
      kind: 'unclear',
    });
  });

  it('a finished task of Ark is kept as it was answered', async () => {
    const native = {
      id: 'cgt-20260828062711-hj94q',
      model: 'seedance-1-0-pro-250528',
      status: 'succeeded',
      content: { video_url: URL_OF_VIDEO, last_frame_url: 'https://files.example/last-frame.png' },
      usage: { completion_tokens: 19_845, total_tokens: 19_845 },
      created_at: 1_787_869_631,
      updated_at: 1_787_869_648,
      seed: 17_918,
      resolution: '480p',
      ratio: '16:9',
      duration: 2,
      framespersecond: 24,
      service_tier: 'default',
      execution_expires_after: 172_800,
      draft: false,
      priority: 0,
      output_format: 'mp4',
    };
    expect(await findSurface('videonative').readPoll(replyOf(200, native), JOB, CALL)).toEqual({
      kind: 'succeeded',
      actualSeconds: 2,
      result: {
        url: URL_OF_VIDEO,
        lastFrameUrl: 'https://files.example/last-frame.png',
        expiresAt: 86_400_000,
        native: native,
      },
    });
  });

  it('an address that is longer than any server takes is none', () => {
    const poll = (video: string, frame: string) => {
      const content = { video_url: video, last_frame_url: frame };
      return findSurface('videonative').readPoll(replyOf(200, { status: 'succeeded', content }), JOB, CALL);
    };
    const long = (length: number) => URL_OF_VIDEO.padEnd(length, 'x');
    expect(poll(long(8_192), long(8_192))).toMatchObject({
      kind: 'succeeded',
      result: { url: long(8_192), lastFrameUrl: long(8_192) },
    });
    expect(poll(URL_OF_VIDEO, long(8_193))).not.toHaveProperty('result.lastFrameUrl');
    expect(poll(long(8_193), URL_OF_VIDEO)).toMatchObject({ kind: 'ended', code: 'no_output' });
  });

  it('seconds that were made are whole ones', async () => {
    const videos = [{ url: URL_OF_VIDEO, duration: '5.041' }];
    const body = { code: 0, data: { task_status: 'succeed', task_result: { videos } } };
    expect(await findSurface('kling').readPoll(replyOf(200, body), JOB, CALL)).toMatchObject({
      actualSeconds: 5,
    });
    const counted = {
      status: 'succeeded',
      content: { video_url: URL_OF_VIDEO },
      frames: 125,
      framespersecond: 24,
    };
    expect(await findSurface('videonative').readPoll(replyOf(200, counted), JOB, CALL)).toMatchObject({
      actualSeconds: 6,
    });
  });
});

describe('refusals', () => {
  it.each<[type: string, status: number, body: unknown, fault: string]>([
    ['kling', 200, { code: 1102, message: 'Resource pack exhausted' }, 'credential'],
    ['kling', 200, { code: 1301, message: 'Sensitive' }, 'caller'],
    ['kling', 429, { code: 1303, message: 'Parallel task over limit' }, 'limited'],
    ['kling', 500, { code: 5000, message: 'Server internal error' }, 'broken'],
    ['kling', 200, { code: 0, message: 'SUCCEED' }, 'unclear'],
    ['minimax', 200, { base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'limited'],
    ['minimax', 200, { base_resp: { status_code: 1004, status_msg: 'no such key' } }, 'credential'],
    ['minimax', 200, { base_resp: { status_code: 1026, status_msg: 'sensitive' } }, 'caller'],
    ['minimax', 200, { base_resp: { status_code: 1000, status_msg: 'unknown error' } }, 'broken'],
    ['minimax', 200, { task_id: '', base_resp: { status_code: 0 } }, 'unclear'],
    ['dashscope', 400, { code: 'Arrearage', message: 'Overdue' }, 'credential'],
    ['gemini', 400, { error: { message: 'x', status: 'INVALID_ARGUMENT' } }, 'caller'],
    ['fal', 403, { detail: 'Exhausted balance' }, 'credential'],
    ['replicate', 402, { title: 'Insufficient credit', detail: 'x' }, 'credential'],
    ['runway', 400, { error: 'You do not have enough credits.' }, 'credential'],
    ['runway', 400, { error: 'ratio is wrong' }, 'caller'],
    ['videonative', 503, 'upstream connect error or disconnect', 'unclear'],
    ['videonative', 400, 'not even JSON', 'caller'],
    ['videonative', 408, '', 'unclear'],
    // F14: what a provider says of itself is a refusal, whatever its status; a page in between is none.
    ['videonative', 500, { error: { code: 'InternalServiceError', message: 'x' } }, 'broken'],
    ['videonative', 504, { error: { message: 'look-alike' } }, 'broken'],
    ['videonative', 502, { error: 'look-alike' }, 'broken'],
    ['videonative', 409, { error: { code: 'Conflict', message: 'x' } }, 'broken'],
    ['videonative', 503, { error: { code: 'ServerOverloaded', message: 'x' } }, 'limited'],
    ['videonative', 500, {}, 'unclear'],
    ['videonative', 500, { message: 'Endpoint request timed out' }, 'unclear'],
    ['videonative', 500, { error: null }, 'unclear'],
    ['openai', 500, { error: { message: 'x', type: 'server_error' } }, 'broken'],
    ['openai', 504, '<html>504</html>', 'unclear'],
    ['gemini', 500, { error: { message: 'x', status: 'INTERNAL' } }, 'broken'],
    ['dashscope', 500, { code: 'InternalError', message: 'x' }, 'broken'],
    ['fal', 500, { detail: 'Internal server error' }, 'broken'],
    ['replicate', 500, { title: 'Internal', detail: 'x' }, 'broken'],
    ['runway', 502, { error: 'x' }, 'broken'],
    ['minimax', 200, { base_resp: { status_code: 1013, status_msg: 'internal' } }, 'broken'],
    ['videonative', 302, '', 'unclear'],
    ['videonative', 508, { error: { code: 'loop_detected', message: 'x' } }, 'loop'],
    ['openai', 529, { error: { message: 'busy', code: 'overloaded' } }, 'limited'],
  ])('%s: %i %j is %s', (type, status, body, fault) => {
    const result = findSurface(type).readSubmit(replyOf(status, body), CALL, ORDER);
    expect(result.kind === 'refused' ? result.fault : result.kind).toBe(fault);
  });

  it('an id that is longer than any leaves open whether there is a job, and so much beside it is left out', () => {
    const submit = (body: object) => findSurface('replicate').readSubmit(replyOf(201, body), CALL, ORDER);
    const urls = { get: 'https://provider.example/v1/predictions/a' };
    expect(submit({ id: 'a'.repeat(1_024), urls })).toMatchObject({
      kind: 'accepted',
      job: { data: { urls } },
    });
    expect(submit({ id: 'a'.repeat(1_025), urls })).toMatchObject({ kind: 'unclear' });
    const long = { urls: { get: 'https://a/'.padEnd(100_000, 'b') } };
    expect(submit({ id: 'a', ...long })).toMatchObject({ kind: 'accepted', job: { data: {} } });
  });

  it('name the field where the provider does', () => {
    const error = { code: 'InvalidParameter', message: 'bad', param: 'ratio' };
    expect(findSurface('videonative').readSubmit(replyOf(400, { error }), CALL, ORDER)).toMatchObject({
      param: 'ratio',
    });
    const invalid = { title: 'x', detail: 'bad', invalid_fields: [{ field: 'input.fps' }] };
    expect(findSurface('replicate').readSubmit(replyOf(422, invalid), CALL, ORDER)).toMatchObject({
      param: 'fps',
    });
  });
});
