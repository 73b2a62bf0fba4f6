import { errorMessage } from '@mg/runtime';
import type { BatchContext } from '../batch-context.js';
import { driveUpstream } from './drive-upstream.js';

const SLOWEST_SECONDS = 60;

/** Carries providers' batches, one step after another. */
export class NativeRunner {
  readonly #context: BatchContext;
  readonly #stop = new AbortController();
  /** The batch whose step is being taken. */
  #stepping: string | undefined;
  #step: Promise<void> = Promise.resolve();

  constructor(context: BatchContext) {
    this.#context = context;
  }

  /** Takes the steps that are due. @returns whether there was any. */
  async stepDue(): Promise<boolean> {
    for (let found = false; ; found = true) {
      if (this.#stop.signal.aborted) return found;
      const isStepped = await this.#stepOne();
      if (!isStepped) return found;
    }
  }

  /** Prolongs what this worker has claimed. */
  async renew(): Promise<void> {
    if (this.#stepping !== undefined) await this.#context.native.upstream.renew(this.#stepping);
  }

  /** Breaks off what it does; another worker goes on. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#step;
  }

  async #stepOne(): Promise<boolean> {
    const { native, logger } = this.#context;
    const batch = await native.upstream.claim();
    if (!batch) return false;
    this.#stepping = batch.id;
    const { signal } = this.#stop;
    const step = driveUpstream(batch, this.#context, signal).then(
      async (next) => {
        if (next !== 'ended') await native.upstream.postpone(batch.id, next.seconds);
      },
      async (error: unknown) => {
        const facts = { batch: batch.batchId, channel: batch.channelId, reason: errorMessage(error) };
        if (!signal.aborted) logger.warn(facts, "a step of a provider's batch is taken again later");
        const seconds = signal.aborted ? 0 : Math.min(2 ** Math.min(batch.failures, 10), SLOWEST_SECONDS);
        await native.upstream.postpone(batch.id, seconds, true);
      },
    );
    this.#step = step.catch(() => undefined);
    try {
      await step;
      return true;
    } finally {
      this.#stepping = undefined;
    }
  }
}
