import { setTimeout as sleep } from 'node:timers/promises';

/** How long a call waits at most for a channel that is at its limit. */
export const WAIT_FOR_CHANNEL_MS = 10_000;
/** Calls that wait for the channels of one model at most; more are refused at once. */
const MAX_WAITING = 256;
/** Of one key at most: others come to their turn beside it. */
const MAX_WAITING_OF_KEY = MAX_WAITING / 4;
/** How often the first one looks whether a channel is free again. */
const LOOK_EVERY_MS = 50;

interface Queue {
  readonly waiting: { readonly keyId: string; readonly wake: () => void }[];
}

/** Calls that wait for channels which are all at their limits: in order of arrival, for a bounded time. */
export class ChannelTurns {
  readonly #queues = new Map<string, Queue>();

  /** Whether a call would overtake others that wait for the channels of this model. */
  hasWaiting(slug: string): boolean {
    return this.#queues.has(slug);
  }

  /**
   * Waits for a turn, then tries until `take` answers something or the time is over.
   *
   * @returns `undefined` when no channel was free in time, or too many wait already.
   */
  async run<Result>(
    slug: string,
    keyId: string,
    take: () => Promise<Result | undefined>,
    isLeft: () => boolean,
  ): Promise<Result | undefined> {
    const deadline = performance.now() + WAIT_FOR_CHANNEL_MS;
    const queue = this.#queues.get(slug) ?? { waiting: [] };
    const ofKey = queue.waiting.filter((one) => one.keyId === keyId).length;
    if (queue.waiting.length >= MAX_WAITING || ofKey >= MAX_WAITING_OF_KEY) return undefined;
    this.#queues.set(slug, queue);
    await this.#becomeFirst(queue, keyId);
    try {
      while (performance.now() < deadline && !isLeft()) {
        const result = await take();
        if (result !== undefined) return result;
        await sleep(LOOK_EVERY_MS);
      }
      return undefined;
    } finally {
      queue.waiting.shift();
      if (queue.waiting.length === 0) this.#queues.delete(slug);
      else queue.waiting[0]?.wake();
    }
  }

  #becomeFirst(queue: Queue, keyId: string): Promise<void> {
    return new Promise((resolve) => {
      if (queue.waiting.push({ keyId, wake: resolve }) === 1) resolve();
    });
  }
}
