import { type Channel, scopeLimits, type Task } from '@mg/contract';
import { ChannelHealth, KeyRotation } from '@mg/routing';
import { describe, expect, it } from 'vitest';
import { TaskTrace } from '../trace/task-trace.js';
import type { WorkerContext } from '../worker-context.js';
import { ChannelGate } from './channel-gate.js';
import { submitTask } from './submit-task.js';

const CREATED_AT = 1_763_700_000_000;
const CHANNELS = ['a', 'b'].map(
  (id) =>
    ({
      id,
      name: id,
      type: 'videonative',
      baseUrl: 'http://127.0.0.1:9',
      apiKeys: ['sk-provider'],
      settings: {},
      models: new Map([['m', 'film']]),
      limits: scopeLimits('channel', id, { concurrency: 2 }),
      timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    }) as unknown as Channel,
);

interface Scene {
  readonly gate?: ChannelGate;
  /** How long the channels have no room at their rates. */
  readonly rateSeconds?: number;
  readonly prompt?: string;
}

/** What a task does that has waited for so long, while its channels have so many tasks. */
async function submit(
  waitedMs: number,
  atChannel: Readonly<Record<string, number>>,
  { gate = new ChannelGate(1), rateSeconds = 0, prompt = 'a cat' }: Scene = {},
) {
  const done: string[] = [];
  const worker = {
    catalog: () => ({ channelsBySlug: new Map([['m', CHANNELS]]) }),
    store: {
      countAtChannel: async (id: string) => atChannel[id],
      readOrder: async () => {
        done.push('reads its order');
        return JSON.stringify({ content: [{ type: 'text', text: prompt }], duration: 5 });
      },
      markSubmitting: async (_claim: unknown, { channelId }: { channelId: string }) => {
        done.push(`asks for a place at ${channelId}`);
        return 'full';
      },
      release: async () => done.push('waits'),
    },
    keys: new KeyRotation(),
    health: new ChannelHealth(() => 0),
    gate,
    rates: { take: async () => ({ waitSeconds: rateSeconds, giveBack: async () => undefined }) },
    trace: new TaskTrace(),
  } as unknown as WorkerContext;
  const task = {
    id: 't',
    model: 'm',
    apiVariant: 'native',
    createdAt: CREATED_AT,
    nextRunAt: CREATED_AT + waitedMs,
  } as Task;
  const seconds = await submitTask({ task, claim: { taskId: 't', by: 'w' }, hasOrder: true }, worker);
  return { done, seconds: Number(seconds) };
}

describe('a video task whose channels are full', () => {
  it('is not read, however large its order is, and looks for room the more seldom the longer it waits', async () => {
    const pauses = [];
    for (const waitedMs of [0, 300_000, 3_600_000]) {
      const { done, seconds } = await submit(waitedMs, { a: 2, b: 3 });
      expect(done).toEqual(['waits']);
      pauses.push(seconds);
    }
    const [first = 0, later = 0, last = 0] = pauses;
    expect([first >= 10 && first <= 12.5, later >= 24 && later <= 30, last >= 48 && last <= 60]).toEqual(
      pauses.map(() => true),
    );
  });

  it('is read once one of them has room, and waits as long where another task was faster', async () => {
    const { done, seconds } = await submit(3_600_000, { a: 2, b: 1 });
    expect(done).toEqual(['reads its order', 'asks for a place at b', 'waits']);
    expect(seconds).toBeGreaterThanOrEqual(48);
  });

  it('is not read either while this worker asks the first of them as often as it may', async () => {
    const gate = new ChannelGate(1);
    for (const { id } of CHANNELS) gate.tryEnter(id);
    const { done, seconds } = await submit(0, { a: 0, b: 0 }, { gate });
    expect(done).toEqual(['waits']);
    expect(seconds).toBeLessThan(1);
  });

  it('is read again no sooner where it is long and the rates of its channels are used up', async () => {
    const free = { a: 0, b: 0 };
    const short = await submit(0, free, { rateSeconds: 1 });
    expect(short).toEqual({ done: ['reads its order', 'waits'], seconds: 1 });
    const long = await submit(0, free, { rateSeconds: 1, prompt: 'x'.repeat(70_000) });
    expect(long.done).toEqual(['reads its order', 'waits']);
    expect(long.seconds).toBeGreaterThanOrEqual(10);
    const later = await submit(0, free, { rateSeconds: 30, prompt: 'x'.repeat(70_000) });
    expect(later.seconds).toBe(30);
  });
});
