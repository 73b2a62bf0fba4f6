import type { BodyReader, UpstreamFailure } from './upstream-call.js';

/** Keeps what arrives before a reader is there, then passes everything on; sees to it that a body ends once. */
export class BufferedBody implements BodyReader {
  #reader: BodyReader | undefined;
  #waiting: Buffer[] = [];
  #ending: 'end' | UpstreamFailure | undefined;

  get ended(): boolean {
    return this.#ending !== undefined;
  }

  attach(reader: BodyReader): void {
    this.#reader = reader;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const chunk of waiting) reader.data(chunk);
    if (this.#ending !== undefined) this.#pass(reader, this.#ending);
  }

  data(chunk: Buffer): void {
    if (this.ended) return;
    if (this.#reader) this.#reader.data(chunk);
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
    if (this.#reader) this.#pass(this.#reader, ending);
  }

  #pass(reader: BodyReader, ending: 'end' | UpstreamFailure): void {
    if (ending === 'end') reader.end();
    else reader.fail(ending);
  }
}
