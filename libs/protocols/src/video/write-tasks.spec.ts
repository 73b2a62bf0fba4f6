import { type Task, TASK_STATES } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { writeGenericTask } from './write-generic-task.js';
import { nativeStatusToStates, writeNativeTask } from './write-native-task.js';

function taskWith(facts: Partial<Task>): Task {
  return {
    id: '0190c2a4-0000-7000-8000-000000000000',
    publicId: 'task_1',
    apiVariant: 'generic',
    userId: 'u',
    tokenId: 't',
    walletId: 'w',
    model: 'sora',
    order: '{}',
    seconds: 5,
    priceVariant: undefined,
    callbackUrl: undefined,
    state: 'created',
    amount: 1n,
    priceVersionId: 'p',
    channelId: 'c',
    channelName: 'secret-channel',
    keyHash: 'h',
    upstreamModel: 'upstream-model',
    upstreamId: 'upstream-id',
    upstreamData: {},
    progress: undefined,
    result: undefined,
    error: undefined,
    createdAt: 1_700_000_000_500,
    submittedAt: undefined,
    finishedAt: undefined,
    deadlineAt: 0,
    nextRunAt: 0,
    pollFailures: 0,
    charged: undefined,
    ...facts,
  };
}

describe('a task of the generic API', () => {
  it('is shown in the four states of the specification, whatever its state', () => {
    const words = TASK_STATES.map((state) => writeGenericTask(taskWith({ state }), {}).status);
    expect(words.join(' ')).toBe('queued queued queued queued in_progress completed failed failed failed');
  });

  it('shows its video and when the link expires', () => {
    const task = taskWith({ state: 'succeeded', progress: 40, finishedAt: 1_700_000_060_000 });
    const links = { video: 'https://example.com/v.mp4', expiresAt: 1_700_003_600_000 };
    expect(writeGenericTask(task, { links })).toEqual({
      id: 'task_1',
      task_id: 'task_1',
      object: 'video',
      model: 'sora',
      status: 'completed',
      progress: 100,
      created_at: 1_700_000_000,
      completed_at: 1_700_000_060,
      video_url: 'https://example.com/v.mp4',
      expires_at: 1_700_003_600,
    });
  });

  it('says why it has none', () => {
    expect(writeGenericTask(taskWith({ state: 'expired' }), {}).error).toEqual({
      code: 'expired',
      message: 'The task was not finished in time.',
    });
    const error = { code: 'OutputVideoSensitiveContentDetected', message: 'Not shown.', status: 400 };
    expect(writeGenericTask(taskWith({ state: 'failed', error }), {}).error).toEqual({
      code: error.code,
      message: error.message,
    });
  });
});

describe('a task of the native API', () => {
  it('succeeds and never completes', () => {
    const words = TASK_STATES.map((state) => writeNativeTask(taskWith({ state }), {}).status);
    expect(words.join(' ')).toBe('queued queued queued queued running succeeded failed failed failed');
    expect(nativeStatusToStates('failed')).toEqual(['failed', 'expired', 'cancelled']);
  });

  it('shows what the provider answered, under our id, our name of the model and a link that works', () => {
    const native = {
      id: 'cgt-upstream',
      model: 'upstream-model',
      status: 'succeeded',
      created_at: 5,
      content: { video_url: 'https://upstream/v.mp4', last_frame_url: 'https://upstream/f.png', extra: 1 },
      usage: { completion_tokens: 100 },
      seed: 0,
      generate_audio: false,
    };
    const task = taskWith({ state: 'succeeded', result: { url: 'https://upstream/v.mp4', native } });
    expect(writeNativeTask(task, { links: { video: 'https://gateway/v' } })).toEqual({
      id: 'task_1',
      model: 'sora',
      status: 'succeeded',
      created_at: 1_700_000_000,
      updated_at: 1_700_000_000,
      content: { video_url: 'https://gateway/v', last_frame_url: 'https://upstream/f.png', extra: 1 },
      usage: { completion_tokens: 100 },
      seed: 0,
      generate_audio: false,
    });
  });

  it('tells its creator what the call cost', () => {
    const gateway = { request_id: 'r', cost: '0.5', latency_ms: 7 };
    expect(writeNativeTask(taskWith({}), { gateway })).toMatchObject({ status: 'queued', _gateway: gateway });
  });
});
