import { type Channel, nextSequence, scopeLimits, type Task } from '@mg/contract';
import { ChannelHealth, KeyRotation } from '@mg/routing';
import { describe, expect, it } from 'vitest';
import { TaskTrace } from '../trace/task-trace.js';
import type { WorkerContext } from '../worker-context.js';
import { ChannelGate } from './channel-gate.js';
import { submitTask } from './submit-task.js';

const CREATED_AT = 1_763_700_000_000;
const makeChannels = (type: string) =>
  ['a', 'b'].map(
    (id, place) =>
      ({
        id,
        name: id,
        type,
        baseUrl: 'http://127.0.0.1:9',
        apiKeys: ['sk-provider'],
        settings: {},
        models: new Map([['m', 'film']]),
        priority: -place,
        limits: scopeLimits('channel', id, { concurrency: 2 }, nextSequence()),
        timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
      }) as unknown as Channel,
  );

interface Scene {
  readonly gate?: ChannelGate;
  /** How long the channels have no room at their rates. */
  readonly rateSeconds?: number;
  readonly prompt?: string;
  /** The channel that made the video which the order is a remix of. */
  readonly remixOf?: string;
}

const LONG = 'x'.repeat(70_000);

function writeOrder(prompt: string, remixOf: string | undefined): string {
  if (remixOf === undefined)
    return JSON.stringify({ content: [{ type: 'text', text: prompt }], duration: 5 });
  const source = { videoId: 'v', jobId: 'j', channelId: remixOf };
  return JSON.stringify({ prompt, seconds: 8, remixOf: source });
}

/** What a task does that has waited for so long, while its channels have so many tasks. */
async function submit(
  waitedMs: number,
  atChannel: Readonly<Record<string, number>>,
  { gate = new ChannelGate(1), rateSeconds = 0, prompt = 'a cat', remixOf }: Scene = {},
) {
  const done: string[] = [];
  const isRemix = remixOf !== undefined;
  const order = writeOrder(prompt, remixOf);
  const channels = makeChannels(isRemix ? 'openai' : 'videonative');
  const worker = {
    catalog: () => ({ channelsBySlug: new Map([['m', channels]]) }),
    store: {
      countAtChannel: async (id: string) => atChannel[id],
      readOrder: async () => {
        done.push('reads its order');
        return Buffer.from(order);
      },
      markSubmitting: async (_claim: unknown, { channelId }: { channelId: string }) => {
        done.push(`asks for a place at ${channelId}`);
        return 'full';
      },
      release: async () => done.push('waits'),
    },
    money: { endTask: async () => done.push('ends') },
    metrics: { submits: { inc: () => undefined } },
    keys: new KeyRotation(),
    health: new ChannelHealth(() => 0),
    gate,
    rates: { take: async () => ({ waitSeconds: rateSeconds, giveBack: async () => undefined }) },
    trace: new TaskTrace(),
  } as unknown as WorkerContext;
  const task = {
    id: 't',
    model: 'm',
    apiVariant: isRemix ? 'generic' : 'native',
    createdAt: CREATED_AT,
    nextRunAt: CREATED_AT + waitedMs,
  } as Task;
  const claimed = { task, claim: { taskId: 't', by: 'w' }, orderBytes: Buffer.byteLength(order) };
  const seconds = await submitTask(claimed, worker);
  return { done, seconds: Number(seconds) };
}

function fillGate(ids: readonly string[]): ChannelGate {
  const gate = new ChannelGate(1);
  for (const id of ids) gate.tryEnter(id);
  return gate;
}

describe('a video task whose channels are full', () => {
  it.each([0, 300_000, 3_600_000])(
    'is not read where its order may be megabytes, and looks for room as often as others after %i ms',
    async (waitedMs) => {
      const { done, seconds } = await submit(waitedMs, { a: 2, b: 3 }, { prompt: LONG });
      expect(done).toEqual(['waits']);
      expect(seconds).toBeGreaterThanOrEqual(10);
      expect(seconds).toBeLessThanOrEqual(12.5);
    },
  );

  it('is read once one of them has room, and waits as long where another task was faster', async () => {
    const { done, seconds } = await submit(3_600_000, { a: 2, b: 1 }, { prompt: LONG });
    expect(done).toEqual(['reads its order', 'asks for a place at b', 'waits']);
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds).toBeLessThanOrEqual(12.5);
  });

  it.each([
    [['a', 'b'], { a: 0, b: 0 }],
    [['b'], { a: 2, b: 0 }],
  ])('is not read either while this worker asks %j as often as it may', async (busy, atChannel) => {
    const { done, seconds } = await submit(0, atChannel, { gate: fillGate(busy), prompt: LONG });
    expect(done).toEqual(['waits']);
    expect(seconds).toBeLessThan(1);
  });

  it('goes to one that has room past a full one that this worker asks as often as it may', async () => {
    const { done } = await submit(0, { a: 2, b: 0 }, { gate: fillGate(['a']), prompt: LONG });
    expect(done).toEqual(['reads its order', 'asks for a place at b', 'waits']);
  });

  it('is read again no sooner where it is long and the rates of its channels are used up', async () => {
    const free = { a: 0, b: 0 };
    const short = await submit(0, free, { rateSeconds: 1 });
    expect(short).toEqual({ done: ['reads its order', 'waits'], seconds: 1 });
    const long = await submit(3_600_000, free, { rateSeconds: 1, prompt: LONG });
    expect(long.done).toEqual(['reads its order', 'waits']);
    expect(long.seconds).toBeGreaterThanOrEqual(48);
    const later = await submit(0, free, { rateSeconds: 30, prompt: LONG });
    expect(later.seconds).toBe(30);
  });
});

describe('a remix waits for the channel that has its video, and for no other one', () => {
  it('is submitted there while another one is full, and asked as often as it may be', async () => {
    const { done } = await submit(0, { a: 2, b: 0 }, { gate: fillGate(['a']), remixOf: 'b' });
    expect(done).toEqual(['reads its order', 'asks for a place at b', 'waits']);
    const free = await submit(0, { a: 0, b: 0 }, { gate: fillGate(['a']), remixOf: 'b' });
    expect(free.done).toEqual(['reads its order', 'asks for a place at b', 'waits']);
  });

  it('waits while that one is full, although another one has room', async () => {
    const { done } = await submit(0, { a: 2, b: 0 }, { remixOf: 'a' });
    expect(done).toEqual(['reads its order', 'waits']);
  });

  it('ends at once where that one is gone, although all others are full', async () => {
    expect((await submit(0, { a: 2, b: 2 }, { remixOf: 'gone' })).done).toEqual(['reads its order', 'ends']);
  });
});
