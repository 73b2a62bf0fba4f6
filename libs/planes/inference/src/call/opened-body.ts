import { type BodyReader, BufferedBody, type UpstreamFailure, type UpstreamReply } from '@mg/transport';

/**
 * An answer whose first byte is awaited and whose bytes are all still there to read: until a reader is attached nothing
 * has left for the client, so another channel may still be tried.
 */
export class OpenedBody implements BodyReader {
  /** Whether there is anything in it. Rejects with an `UpstreamFailure` when the upstream fails before that. */
  readonly opening: Promise<boolean>;
  readonly #reply: UpstreamReply;
  readonly #body = new BufferedBody();
  #settle: { resolve(holdsBytes: boolean): void; reject(failure: UpstreamFailure): void };

  constructor(reply: UpstreamReply) {
    this.#reply = reply;
    const { promise, ...settle } = Promise.withResolvers<boolean>();
    this.opening = promise;
    this.#settle = settle;
    reply.read(this);
  }

  /** Hands every byte, from the first one on, to the reader. */
  attach(reader: BodyReader): void {
    this.#body.attach(reader);
  }

  pause(): void {
    this.#reply.pause();
  }

  resume(): void {
    this.#reply.resume();
  }

  data(chunk: Buffer): void {
    this.#body.data(chunk);
    this.#settle.resolve(true);
  }

  end(): void {
    this.#body.end();
    this.#settle.resolve(false);
  }

  fail(failure: UpstreamFailure): void {
    this.#body.fail(failure);
    this.#settle.reject(failure);
  }
}
