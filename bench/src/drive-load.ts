import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { readDelayMs } from './chunk-stamp.js';

/**
 * Where calls go: straight to the upstream, through nginx, through the bare proxy, through the gateway as they are, or through the
 * gateway out of one protocol into another: chat to Anthropic's messages, and messages to chat.
 */
export type TargetName = 'direct' | 'nginx' | 'bare' | 'gateway' | 'to-messages' | 'to-chat';

/** A target of load: where calls go and with which key. */
export interface Target {
  readonly name: TargetName;
  readonly origin: string;
  readonly path: '/v1/chat/completions' | '/v1/messages';
  /** What the target puts before the upstream's name of a model. */
  readonly modelPrefix: string;
  readonly apiKey: string;
  /** The process whose work is measured; none for calls that go straight to the upstream. */
  readonly pid: number | undefined;
  /** The processes that a call takes together, with all that these have started. */
  readonly allPids: readonly number[];
}

export interface LoadResult {
  readonly requests: number;
  readonly chunks: number;
  /** Chunks that had come by the time all streams were open. */
  readonly chunksAtOpen: number;
  /** Chunks that say when the upstream sent them. */
  readonly stampedChunks: number;
  readonly failures: number;
  /**
   * Milliseconds from the upstream's sending of a chunk to its arrival, of those that say when they were sent;
   * once all streams are open.
   */
  readonly chunkDelaysMs: number[];
  /** Milliseconds from sending to the end of a whole answer, or to the first byte of a stream. */
  readonly latenciesMs: number[];
  readonly elapsedMs: number;
}

interface Tally {
  requests: number;
  chunks: number;
  chunksAtOpen: number;
  stampedChunks: number;
  failures: number;
  readonly chunkDelaysMs: number[];
  readonly latenciesMs: number[];
  /** Called at each stream's first byte. */
  opened: () => void;
}

const END_OF_EVENT = Buffer.from('\n\n');

/** Sends calls over kept-alive connections, as cheaply as a client can. */
export class LoadDriver {
  readonly #pool: Pool;
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = new Pool(target.origin, { pipelining: 1, keepAliveTimeout: 30_000, headersTimeout: 60_000 });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** So many callers, each sending its next call when the last is answered, for so long. */
  async runClosedLoop(body: Buffer, callers: number, durationMs: number): Promise<LoadResult> {
    const tally = newTally();
    const startMs = performance.now();
    const untilMs = startMs + durationMs;
    const loop = async (): Promise<void> => {
      while (performance.now() < untilMs) await this.#call(body, tally);
    };
    await Promise.all(Array.from({ length: callers }, loop));
    return { ...tally, elapsedMs: performance.now() - startMs };
  }

  /** So many calls a second at fixed moments, whether earlier ones are answered or not. */
  async runOpenLoop(body: Buffer, perSecond: number, durationMs: number): Promise<LoadResult> {
    const tally = newTally();
    const startMs = performance.now();
    const total = Math.floor((perSecond * durationMs) / 1_000);
    const running: Promise<void>[] = [];
    for (let index = 0; index < total; index++) {
      const waitMs = startMs + (index * 1_000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      running.push(this.#call(body, tally));
    }
    await Promise.all(running);
    return { ...tally, elapsedMs: performance.now() - startMs };
  }

  /** So many streams at once, each read to its end; calls back when all are open. */
  async runStreams(body: Buffer, streams: number, whenOpen: () => void): Promise<LoadResult> {
    const tally = newTally();
    tally.opened = () => {
      if (tally.latenciesMs.length < streams) return;
      tally.chunksAtOpen = tally.chunks;
      tally.chunkDelaysMs.length = 0;
      whenOpen();
    };
    const startMs = performance.now();
    const running: Promise<void>[] = [];
    for (let index = 0; index < streams; index++) {
      running.push(this.#call(body, tally));
      if (index % 20 === 19) await sleep(10);
    }
    await Promise.all(running);
    return { ...tally, elapsedMs: performance.now() - startMs };
  }

  #call(body: Buffer, tally: Tally): Promise<void> {
    return new Promise((resolve) => {
      this.#pool.dispatch(
        {
          method: 'POST',
          path: this.#target.path,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#target.apiKey}` },
          body,
        },
        new Receiver(tally, resolve),
      );
    });
  }
}

class Receiver implements Dispatcher.DispatchHandler {
  readonly #startedMs = performance.now();
  #status = 0;
  #stream = false;

  constructor(
    private readonly tally: Tally,
    private readonly done: () => void,
  ) {}

  onRequestStart(): void {}

  onResponseStart(
    _controller: unknown,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#stream = String(headers['content-type']).startsWith('text/event-stream');
    if (!this.#stream) return;
    this.tally.latenciesMs.push(performance.now() - this.#startedMs);
    this.tally.opened();
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#stream) return;
    let from = 0;
    for (let at = chunk.indexOf(END_OF_EVENT); at >= 0; at = chunk.indexOf(END_OF_EVENT, from)) {
      this.tally.chunks++;
      const delayMs = readDelayMs(chunk, from);
      if (delayMs !== undefined) {
        this.tally.stampedChunks++;
        this.tally.chunkDelaysMs.push(delayMs);
      }
      from = at + END_OF_EVENT.length;
    }
  }

  onResponseEnd(): void {
    if (!this.#stream) this.tally.latenciesMs.push(performance.now() - this.#startedMs);
    this.#finish(this.#status === 200);
  }

  onResponseError(): void {
    this.#finish(false);
  }

  #finish(good: boolean): void {
    if (good) this.tally.requests++;
    else this.tally.failures++;
    this.done();
  }
}

function newTally(): Tally {
  return {
    requests: 0,
    chunks: 0,
    chunksAtOpen: 0,
    stampedChunks: 0,
    failures: 0,
    chunkDelaysMs: [],
    latenciesMs: [],
    opened: () => undefined,
  };
}
