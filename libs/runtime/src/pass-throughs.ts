import type { Readable } from 'node:stream';
import { GatewayError } from '@mg/contract';

interface PassThroughLimits {
  /** For one owner. */
  readonly each: number;
  readonly total: number;
}

const RETRY_AFTER_SECONDS = 5;

/** Videos and images that are passed through at the same time, bounded for each owner and in all: each has a connection. */
export class PassThroughs {
  readonly #byOwner = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: PassThroughLimits) {}

  /**
   * Opens a video for an owner, whose share it takes until its body is closed.
   *
   * @throws GatewayError `rate_limited` when the owner, or all together, have as many open as they may; what `open` throws.
   */
  async open<File extends { readonly body: Readable }>(
    owner: string,
    open: () => Promise<File>,
  ): Promise<File> {
    if ((this.#byOwner.get(owner) ?? 0) >= this.limits.each) {
      throw refuse('As many of your files are on their way as may be at the same time: let one end first.');
    }
    if (this.#total >= this.limits.total) {
      throw refuse('As many files are on their way as this server takes: try again in a moment.');
    }
    this.#add(owner, 1);
    try {
      const file = await open();
      file.body.once('close', () => this.#add(owner, -1));
      return file;
    } catch (error) {
      this.#add(owner, -1);
      throw error;
    }
  }

  #add(owner: string, change: 1 | -1): void {
    this.#total += change;
    const open = (this.#byOwner.get(owner) ?? 0) + change;
    if (open > 0) this.#byOwner.set(owner, open);
    else this.#byOwner.delete(owner);
  }
}

function refuse(message: string): GatewayError {
  return new GatewayError('rate_limited', message, { retryAfter: RETRY_AFTER_SECONDS });
}
