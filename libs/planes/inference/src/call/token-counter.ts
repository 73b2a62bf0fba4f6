import { Worker } from 'node:worker_threads';
import { readPiecesInSlices, runInSlices, type Steps, type TextPieces } from '@mg/protocols';
import { nextTurn } from '../edge/loop-turns.js';

/** Texts longer than this many bytes of UTF-8 are estimated by their length. */
const MAX_COUNTED_BYTES = 256 * 1024;
/**
 * Bytes of UTF-8 for one token where tokens are not counted. Under the o200k encoding English prose has 4.5, program text 2.3 to
 * 3.5, Chinese 3, so that an estimate stays within a factor of 1.5 of a count for what people write.
 */
const BYTES_PER_TOKEN = 3;
/** Texts longer than this many characters are read in a turn of the event loop of their own: many streams may be left at once. */
const LONG_CHARACTERS = 32 * 1024;
/** Characters whose bytes are counted in one step. */
const MEASURED_CHARACTERS = 1024 * 1024;
/** How long a caller waits for a count before an estimate serves. */
const DEADLINE_MS = 1_000;
/** Counts that may wait at once; more are estimated. */
const MAX_WAITING = 64;
/** The first count starts the thread and reads the encoding's tokens: a tenth of a second, or seconds on a busy machine. */
const WARM_UP_MS = 20_000;

/** Under vitest this file is read from its source, and so is the worker's. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './count-worker.ts' : './count-worker.js',
  import.meta.url,
);

/**
 * Heap of the thread, in MB: a text of 256 KB and its words take a few; the tokens of the encoding, 4 MB, lie beside it. Without
 * a limit it keeps as much garbage as there is memory. A thread that needs more dies, and its count becomes an estimate.
 */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

export interface TokenCounterLimits {
  readonly deadlineMs: number;
  readonly maxWaiting: number;
}

interface CountJob {
  readonly id: number;
  readonly text: string;
  readonly finish: (tokens: number | undefined) => void;
}

/**
 * Counts tokens under the o200k encoding in a worker thread: what usage is estimated by when an upstream reports none.
 * The thread starts with the first count, and again after a crash. Counting never holds the event loop, and no caller
 * waits longer than a deadline: what is too long, too late or one too many is estimated by its bytes.
 */
export class TokenCounter {
  readonly #limits: TokenCounterLimits;
  /** Jobs that somebody waits for, the oldest first. */
  readonly #waiting = new Map<number, CountJob>();
  /** Counts that have begun and not ended, those that are estimated and those whose texts are being listed among them. */
  #inFlight = 0;
  #worker: Worker | undefined;
  /** The job in the thread: one at a time, so that those nobody waits for any longer never get there. */
  #running: number | undefined;
  #lastId = 0;

  constructor(limits: TokenCounterLimits = { deadlineMs: DEADLINE_MS, maxWaiting: MAX_WAITING }) {
    this.#limits = limits;
  }

  /** Starts the thread and has it read its tokens: before the gateway serves, so that no first caller waits for it. */
  async warmUp(): Promise<void> {
    await this.#ask('.', WARM_UP_MS);
  }

  /** Tokens of a text. Never fails. */
  async count(text: string): Promise<number> {
    if (text === '') return 0;
    this.#inFlight += 1;
    try {
      if (text.length > LONG_CHARACTERS) await nextTurn();
      return await this.#count(text);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /**
   * Tokens of texts that stand apart from each other; many or long ones are not joined. Fails where listing them does.
   *
   * @param listing of the texts, which is done in turns of the event loop and is in progress from here on.
   */
  async countAll(listing: Steps<readonly string[]>): Promise<number> {
    this.#inFlight += 1;
    try {
      const texts = await runInSlices(listing, nextTurn);
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      if (length <= MAX_COUNTED_BYTES) return await this.count(texts.join('\n'));
      await nextTurn();
      return await estimateLong(texts);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Tokens of one text whose pieces are read in turns of the event loop, as `count` has it. */
  async countPieces(pieces: TextPieces): Promise<number> {
    if (typeof pieces === 'string') return this.count(pieces);
    this.#inFlight += 1;
    try {
      let text = '';
      let bytes = 0;
      const take = (slice: string) => {
        bytes += Buffer.byteLength(slice);
        text = bytes > MAX_COUNTED_BYTES ? '' : text + slice;
      };
      await readPiecesInSlices(pieces, take, nextTurn);
      return bytes > MAX_COUNTED_BYTES ? estimateBytes(bytes) : await this.count(text);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #count(text: string): Promise<number> {
    if (text.length > MAX_COUNTED_BYTES) return estimateLong([text]);
    if (this.#waiting.size >= this.#limits.maxWaiting) return estimateTokens(text);
    if (Buffer.byteLength(text) > MAX_COUNTED_BYTES) return estimateTokens(text);
    return (await this.#ask(text, this.#limits.deadlineMs)) ?? estimateTokens(text);
  }

  /** Resolves when no count is in progress and whoever waited for one has gone on: nothing is then left to settle. */
  async whenIdle(): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, this.#inFlight === 0 ? 0 : 10));
    } while (this.#inFlight > 0);
  }

  /** Ends the thread; counts in progress become estimates. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#forget(worker);
    await worker?.terminate();
  }

  /** `undefined` when the thread does not answer in time or dies. */
  #ask(text: string, deadlineMs: number): Promise<number | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish(undefined), deadlineMs);
      const finish = (tokens: number | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(tokens);
      };
      this.#waiting.set(id, { id, text, finish });
      this.#sendNext();
    });
  }

  #sendNext(): void {
    if (this.#running !== undefined) return;
    const [next] = this.#waiting.values();
    if (!next) return;
    this.#running = next.id;
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage({ id: next.id, text: next.text });
  }

  #start(): Worker {
    const worker = new Worker(WORKER_FILE, { resourceLimits: LIMITS });
    worker.on('message', ({ id, tokens }: { id: number; tokens: number }) => {
      this.#running = undefined;
      this.#waiting.get(id)?.finish(tokens);
      this.#sendNext();
    });
    // A thread that dies says so by an error, by its exit, or by both.
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    worker.unref();
    return worker;
  }

  #forget(worker: Worker | undefined): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#running = undefined;
    for (const { finish } of this.#waiting.values()) finish(undefined);
  }
}

/** Tokens of a text by its length alone, never more than it has bytes. */
export function estimateTokens(text: string): number {
  return estimateBytes(Buffer.byteLength(text));
}

/** The same of texts that stand apart from each other, in steps. */
async function estimateLong(texts: readonly string[]): Promise<number> {
  let bytes = texts.length - 1;
  let measured = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length; start += MEASURED_CHARACTERS) {
      if (measured >= MEASURED_CHARACTERS) {
        measured = 0;
        await nextTurn();
      }
      const piece = text.slice(start, start + MEASURED_CHARACTERS);
      bytes += Buffer.byteLength(piece);
      measured += piece.length;
    }
  }
  return estimateBytes(bytes);
}

/** Tokens of so many bytes of text. */
export function estimateBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
