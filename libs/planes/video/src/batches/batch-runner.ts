import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedLine, RunnableBatch } from '@mg/persistence/video';
import { errorMessage } from '@mg/runtime';
import type { BatchContext } from './batch-context.js';
import { finishBatch } from './finish-batch.js';
import { runLine } from './run-line.js';
import { validateBatch } from './validate-batch.js';

/** One wallet has at most this part of the lines in progress, so that its batches do not keep out the others. */
const WALLET_SHARE = 4;

/** Carries out batches: validates them, sends their lines to the gateway, and writes their results. */
export class BatchRunner {
  readonly #context: BatchContext;
  readonly #stop = new AbortController();
  /** Lines in progress. */
  readonly #running = new Map<ClaimedLine, Promise<void>>();
  readonly #byWallet = new Map<string, number>();
  /** The batch that is being validated or finished. */
  #stepping: string | undefined;
  #isFilling = false;
  #isToBeFilled = false;
  /** Whether the last look found batches whose lines may be sent: their end is near. */
  #isSending = false;
  #isClosing = false;

  constructor(context: BatchContext) {
    this.#context = context;
  }

  /** Validates and finishes what is due, one batch after another. @returns whether there was any, or will be soon. */
  async stepDue(): Promise<boolean> {
    const { work } = this.#context;
    for (let found = false; ; found = true) {
      const batch = this.#isClosing ? undefined : await work.claimBatch();
      if (!batch) return found || this.#isSending;
      this.#stepping = batch.id;
      try {
        await (batch.state === 'validating' ? validateBatch : finishBatch)(batch, this.#context);
      } finally {
        this.#stepping = undefined;
      }
      // A batch that was validated need not wait for the next look.
      await this.fill();
    }
  }

  /** Sends as many lines as there is room for. @returns whether there are batches whose lines may be sent. */
  async fill(): Promise<boolean> {
    this.#isToBeFilled = true;
    if (this.#isFilling) return true;
    this.#isFilling = true;
    try {
      while (this.#isToBeFilled && !this.#isClosing) {
        this.#isToBeFilled = false;
        await this.#fillOnce();
      }
      return this.#isSending;
    } finally {
      this.#isFilling = false;
    }
  }

  /** Prolongs what this worker has claimed. */
  renew(): Promise<void> {
    const lines = [...this.#running.keys()].map(({ batch, line }) => ({ batchId: batch.id, line }));
    return this.#context.work.renew(this.#stepping, lines);
  }

  /** Begins nothing more, waits for lines in progress, and leaves the others to other workers. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true;
    const drained = Promise.all(this.#running.values());
    await Promise.race([drained, sleep(drainMs, undefined, { ref: false })]);
    this.#stop.abort();
    await Promise.all(this.#running.values());
    await this.#context.work.release();
    await this.#context.gateway.close();
  }

  async #fillOnce(): Promise<void> {
    const { work, concurrency } = this.#context;
    const free = () => concurrency - this.#running.size;
    if (free() <= 0) return;
    const batches = await work.findRunnable();
    this.#isSending = batches.length > 0;
    for (const batch of batches) {
      const ofWallet = Math.ceil(concurrency / WALLET_SHARE) - (this.#byWallet.get(batch.walletId) ?? 0);
      const room = Math.min(free(), ofWallet);
      if (room <= 0) continue;
      for (const line of await work.claimLines(batch, room)) this.#begin(batch, line);
    }
  }

  #begin({ walletId }: RunnableBatch, line: ClaimedLine): void {
    this.#byWallet.set(walletId, (this.#byWallet.get(walletId) ?? 0) + 1);
    const run = runLine(line, this.#context, this.#stop.signal)
      .catch((error: unknown) => this.#warn(error, 'the result of a line could not be kept'))
      .finally(() => {
        this.#running.delete(line);
        const left = (this.#byWallet.get(walletId) ?? 1) - 1;
        if (left > 0) this.#byWallet.set(walletId, left);
        else this.#byWallet.delete(walletId);
        this.fill().catch((error: unknown) => this.#warn(error, 'lines of batches could not be claimed'));
      });
    this.#running.set(line, run);
  }

  #warn(error: unknown, message: string): void {
    this.#context.logger.warn({ reason: errorMessage(error) }, message);
  }
}
