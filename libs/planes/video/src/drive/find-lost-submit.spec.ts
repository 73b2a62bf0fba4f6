import type { Task } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { findLostSubmit } from './find-lost-submit.js';

const NO_SUCH_JOB = { status: 200, headers: {}, json: { code: 1203, message: 'no such task' }, text: '' };
const HOUR_MS = 3_600_000;

/** What became of a task whose provider keeps our reference and knows of no job. */
async function look(task: Partial<Task>): Promise<string[]> {
  const done: string[] = [];
  const store = {
    noteSubmitUnknown: async () => done.push('waits'),
    noteRefused: async () => done.push('refused'),
    release: async () => done.push('given back'),
  };
  const channel = {
    id: 'c',
    type: 'kling',
    apiKeys: ['access:secret'],
    settings: {},
    models: new Map(),
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
  };
  const worker = {
    store,
    findChannel: async () => channel,
    http: { send: async () => NO_SUCH_JOB },
    logger: { warn: (facts: unknown) => done.push(JSON.stringify(facts)) },
  } as unknown as WorkerContext;
  const claimed = {
    id: 't',
    apiVariant: 'generic',
    order: '{"prompt":"a cat","seconds":5}',
    channelId: 'c',
    upstreamModel: 'kling-v2-6',
    createdAt: Date.now() - HOUR_MS,
    nextRunAt: 0,
    deadlineAt: 1,
    ...task,
  } as Task;
  await findLostSubmit({ task: claimed, claim: { taskId: 't', by: 'w' } }, worker);
  return done;
}

describe('F9: a job that its provider does not know', () => {
  it('is waited for a minute after its submit, however long the task queued before', async () => {
    const upstreamData = { submitting_since: Date.now() - 5_000 };
    expect(await look({ upstreamData })).toEqual(['waits']);
  });

  it('is submitted again after that minute', async () => {
    const upstreamData = { submitting_since: Date.now() - 61_000 };
    expect(await look({ upstreamData })).toEqual(['refused', 'given back']);
    expect(await look({ upstreamData: {} })).toEqual(['refused', 'given back']);
  });
});
