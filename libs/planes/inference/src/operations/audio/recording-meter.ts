import { Worker } from 'node:worker_threads';
import type { StoredFile } from '@mg/protocols';

/** How long a recording is read at most, once its first bytes are asked for. */
const DEADLINE_MS = 3_000;
/** How long the thread may take to start. */
const START_MS = 10_000;
/** Recordings that may wait at once; the length of more is not read. */
const MAX_WAITING = 32;
/** Bytes that are handed over in one step. */
const PIECE_BYTES = 256 * 1024;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 };

/** Under vitest this file is read from its source, and so is the worker's. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './measure-worker.ts' : './measure-worker.js',
  import.meta.url,
);

export interface RecordingFacts {
  readonly mimeType: string;
  readonly path: string;
  readonly size: number;
}

interface Job {
  readonly id: number;
  readonly facts: RecordingFacts;
  readonly pieces: AsyncIterator<Uint8Array>;
  readonly finish: (seconds: number | undefined) => void;
}

/**
 * Reads how long recordings are, one at a time, in a worker thread that starts with the first. A recording of a megabyte can
 * be made to be read for minutes: the thread ends with one that takes too long, and the next starts another.
 */
export class RecordingMeter {
  readonly #waiting: Job[] = [];
  readonly #deadlineMs: number;
  #running: Job | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
  }

  /** Seconds of a recording; `undefined` where the bytes are no audio that can be read in time. Never fails. */
  measure(bytes: Buffer | StoredFile, facts: RecordingFacts): Promise<number | undefined> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(undefined);
    return new Promise((finish) => {
      const pieces = cutPieces(bytes)[Symbol.asyncIterator]();
      this.#waiting.push({ id: ++this.#lastId, facts, pieces, finish });
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) return;
    this.#running = job;
    this.#worker ??= this.#startWorker();
    this.#limit(START_MS);
    this.#send({ id: job.id, facts: job.facts });
  }

  #startWorker(): Worker {
    const worker = new Worker(WORKER_FILE, { resourceLimits: LIMITS });
    let asked = 0;
    worker.on('message', ({ id, seconds }: { id: number; seconds?: number }) => {
      const job = this.#running;
      if (job?.id !== id) return;
      if (seconds !== undefined) {
        this.#finish(seconds);
        return;
      }
      if (asked !== id) this.#limit(this.#deadlineMs);
      asked = id;
      void this.#sendPiece(job);
    });
    // A thread that dies says so by an error, by its exit, or by both.
    worker.on('error', () => this.#replace(worker));
    worker.on('exit', () => this.#replace(worker));
    worker.unref();
    return worker;
  }

  async #sendPiece(job: Job): Promise<void> {
    const next = await job.pieces.next().catch(() => ({ done: true, value: undefined }));
    if (this.#running !== job) return;
    // A view would take all of the memory that it is a part of along.
    const piece = next.value && new Uint8Array(next.value);
    this.#send({ id: job.id, piece: piece ?? null }, piece ? [piece.buffer] : []);
  }

  #send(message: unknown, transferred: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transferred);
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#timer = setTimeout(() => this.#replace(worker), ms);
  }

  /** The next recording gets a thread of its own. */
  #replace(worker: Worker | undefined): void {
    if (!worker || this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#finish(undefined);
  }

  #finish(seconds: number | undefined): void {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    void job?.pieces.return?.();
    job?.finish(seconds);
    this.#startNext();
  }
}

async function* cutPieces(bytes: Buffer | StoredFile): AsyncGenerator<Uint8Array> {
  if (!Buffer.isBuffer(bytes)) {
    yield* bytes.read();
    return;
  }
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
