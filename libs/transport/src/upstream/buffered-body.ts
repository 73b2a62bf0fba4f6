import { type BodyReader, UpstreamFailure } from './upstream-call.js';

/**
 * Keeps what arrives before a reader is there, or while it takes its time, then passes everything on; sees to it that a body
 * ends once.
 */
export class BufferedBody implements BodyReader {
  #reader: BodyReader | undefined;
  /** Whether the reader is still at work on the last chunk. */
  #isBusy = false;
  #waiting: Buffer[] = [];
  #ending: 'end' | UpstreamFailure | undefined;

  get ended(): boolean {
    return this.#ending !== undefined;
  }

  /** Whether nothing waits, nothing is at work and the end has not come. */
  get isIdle(): boolean {
    return !this.#isBusy && this.#waiting.length === 0 && !this.ended;
  }

  attach(reader: BodyReader): void {
    this.#reader = reader;
    this.#passWaiting();
  }

  data(chunk: Buffer): void {
    if (this.ended) return;
    if (this.#reader && !this.#isBusy) this.#pass(this.#reader, chunk);
    else this.#waiting.push(chunk);
  }

  end(): void {
    this.#finish('end');
  }

  fail(failure: UpstreamFailure): void {
    this.#finish(failure);
  }

  #finish(ending: 'end' | UpstreamFailure): void {
    if (this.ended) return;
    this.#ending = ending;
    if (!this.#isBusy) this.#passEnding();
  }

  #pass(reader: BodyReader, chunk: Buffer): void {
    const taken = reader.data(chunk);
    if (!taken) return;
    this.#isBusy = true;
    void this.#waitFor(taken);
  }

  async #waitFor(taken: Promise<void>): Promise<void> {
    try {
      await taken;
    } catch (error) {
      // Handled here: an unhandled rejection would end the process.
      this.#waiting = [];
      const message = error instanceof Error ? error.message : String(error);
      this.#ending = new UpstreamFailure('broken', `it could not be read: ${message}`);
    }
    this.#isBusy = false;
    this.#passWaiting();
  }

  #passWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [index, chunk] of waiting.entries()) {
      if (this.#isBusy || !this.#reader) {
        this.#waiting.push(...waiting.slice(index));
        return;
      }
      this.#pass(this.#reader, chunk);
    }
    if (!this.#isBusy) this.#passEnding();
  }

  #passEnding(): void {
    const reader = this.#reader;
    if (!reader || this.#ending === undefined) return;
    this.#reader = undefined;
    if (this.#ending === 'end') reader.end();
    else reader.fail(this.#ending);
  }
}
