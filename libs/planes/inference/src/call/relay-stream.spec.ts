import { BufferedBody } from '@mg/transport';
import { describe, expect, it } from 'vitest';
import type { GatewayContext } from './gateway-context.js';
import type { HeldCall } from './relay.js';
import { relayStream } from './relay-stream.js';
import type { StreamOutcome } from './take-answer.js';

const STREAMS = 40;
const READING_MS = 2;
/** Reading in a turn of the event loop has 4 ms; one more stream is read that had waited, and one that ends the 4 ms. */
const MOST_IN_A_TURN = 4;
/** What the network brings at once, and what is read of it in one step. */
const CHUNK_BYTES = 64 * 1024;
const STEP_BYTES = 16 * 1024;

/** Takes as long to read a chunk as a converted stream does. */
class SlowReader {
  done = false;
  ended = false;
  #bytes = 0;
  constructor(
    private readonly length: number,
    private readonly onRead: () => void,
  ) {}
  push({ length }: Buffer): Buffer {
    const until = performance.now() + READING_MS;
    while (performance.now() < until);
    this.onRead();
    this.#bytes += length;
    this.done = this.#bytes >= this.length;
    return Buffer.alloc(0);
  }
}

function relay(reader: SlowReader, body: BufferedBody): Promise<unknown> {
  const stream = {
    attach: (to: Parameters<BufferedBody['attach']>[0]) => body.attach(to),
    pause: () => undefined,
    resume: () => undefined,
  };
  const call = {
    client: { watch: () => undefined, openStream: () => undefined },
    operation: { framing: 'sse', dialect: 'openai-chat' },
    record: { requestId: 'r', elapsedMs: () => 0, attempts: [], caller: {} },
    abort: () => undefined,
  };
  const gauge = { inc: () => undefined, dec: () => undefined };
  return relayStream(
    { stream, prepared: {}, format: { createReader: () => reader } } as unknown as StreamOutcome,
    call as unknown as HeldCall & StreamOutcome['call'],
    { metrics: { openStreams: gauge } } as unknown as GatewayContext,
  );
}

/** Steps in each turn of the event loop until streams of one chunk have been read. */
async function countInTurns(streams: number, chunkBytes: number, steps: number): Promise<number[]> {
  let reads = 0;
  const bodies = Array.from({ length: streams }, () => new BufferedBody());
  for (const body of bodies) body.data(Buffer.alloc(chunkBytes, 'a'));
  const relays = Promise.all(bodies.map((body) => relay(new SlowReader(chunkBytes, () => reads++), body)));
  const inTurns: number[] = [];
  for (let seen = 0; seen < steps; seen = reads) {
    await new Promise((resolve) => setImmediate(resolve));
    inTurns.push(reads - seen);
  }
  await relays;
  return inTurns;
}

describe('many streams at once', () => {
  it('T25: share a few milliseconds of a turn of the event loop, those that begin together too', async () => {
    expect(Math.max(...(await countInTurns(STREAMS, STEP_BYTES, STREAMS)))).toBeLessThanOrEqual(
      MOST_IN_A_TURN,
    );
  });

  it('T25: are read in steps where a chunk is long', async () => {
    const steps = 8 * (CHUNK_BYTES / STEP_BYTES);
    expect(Math.max(...(await countInTurns(8, CHUNK_BYTES, steps)))).toBeLessThanOrEqual(MOST_IN_A_TURN);
  });
});
