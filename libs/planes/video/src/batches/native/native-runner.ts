import type { UpstreamBatch } from '@mg/persistence/video';
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
    const batch = await this.#context.native.upstream.claim();
    if (!batch) return false;
    this.#stepping = batch.id;
    const step = this.#take(batch);
    this.#step = step.catch(() => undefined);
    try {
      await step;
      return true;
    } finally {
      this.#stepping = undefined;
    }
  }

  async #take(batch: UpstreamBatch): Promise<void> {
    const { native, logger } = this.#context;
    const { signal } = this.#stop;
    try {
      const next = await driveUpstream(batch, this.#context, signal);
      if (next !== 'ended') await native.upstream.postpone(batch.id, next.seconds);
    } catch (error) {
      const facts = { batch: batch.batchId, channel: batch.channelId, reason: errorMessage(error) };
      if (!signal.aborted) logger.warn(facts, "a step of a provider's batch is taken again later");
      const seconds = signal.aborted ? 0 : Math.min(2 ** Math.min(batch.failures, 10), SLOWEST_SECONDS);
      await native.upstream.postpone(batch.id, seconds, true);
    }
  }
}
