import type { Task } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { TaskTrace } from '../trace/task-trace.js';
import type { WorkerContext } from '../worker-context.js';
import { findLostSubmit } from './find-lost-submit.js';
import { fetchOrder } from './job-context.js';

const NO_SUCH_JOB = { status: 200, headers: {}, json: { code: 1203, message: 'no such task' }, text: '' };
const HOUR_MS = 3_600_000;
const SUBMITTED_AT = 1_763_700_000_000;

/** What became of a task whose provider keeps our reference and knows of no job. */
async function look(task: Partial<Task>, totalMs = 1): Promise<string[]> {
  const done: string[] = [];
  const store = {
    readOrder: async () => Buffer.from('{"prompt":"a cat","seconds":5}'),
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
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs },
  };
  const worker = {
    store,
    findChannel: async () => channel,
    http: { send: async () => NO_SUCH_JOB },
    trace: new TaskTrace(),
    logger: { warn: (facts: unknown) => done.push(JSON.stringify(facts)) },
  } as unknown as WorkerContext;
  const claimed = {
    id: 't',
    apiVariant: 'generic',
    channelId: 'c',
    upstreamModel: 'kling-v2-6',
    createdAt: SUBMITTED_AT - HOUR_MS,
    nextRunAt: SUBMITTED_AT,
    deadlineAt: SUBMITTED_AT + HOUR_MS,
    ...task,
  } as Task;
  await findLostSubmit({ task: claimed, claim: { taskId: 't', by: 'w' }, orderBytes: 60 }, worker);
  return done;
}

describe('F9: a job that its provider does not know', () => {
  /** Due so long after it was submitted, on Postgres's clock. */
  const due = (afterMs: number) => ({
    upstreamData: { submitting_since: SUBMITTED_AT },
    nextRunAt: SUBMITTED_AT + afterMs,
  });

  it('is waited for a minute after its submit, however long the task queued before', async () => {
    expect(await look(due(5_000))).toEqual(['waits']);
  });

  it('is submitted again after that minute', async () => {
    expect(await look(due(61_000))).toEqual(['refused', 'given back']);
  });

  it('is waited for a minute after the provider may last have taken it, of a submit that had time', async () => {
    expect(await look(due(149_000), 900_000)).toEqual(['waits']);
    expect(await look(due(151_000), 900_000)).toEqual(['refused', 'given back']);
  });

  it('is never submitted again when nobody wrote down when it was submitted', async () => {
    expect(await look({ upstreamData: {} })).toEqual(['waits']);
  });
});

it('an order is read whole that has more different names than an answer may have', async () => {
  const body = Object.fromEntries(Array.from({ length: 10_010 }, (_, at) => [`name_${at}`, at]));
  const store = {
    readOrder: async () => Buffer.from(JSON.stringify(body)),
  } as unknown as WorkerContext['store'];
  expect(await fetchOrder({ id: 't', apiVariant: 'native' } as Task, { store })).toEqual({
    order: { apiVariant: 'native', body },
    isLong: true,
  });
});
