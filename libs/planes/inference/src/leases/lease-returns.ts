import { type HoldOwner, type LeasePort, type LeaseReturn, MAX_LEASES_PER_MESSAGE } from '@mg/contract';
import type { LeaseSlice } from './lease-slice.js';
import type { LeasePayer } from './leases.js';

export interface LeaseReturnsOptions {
  readonly port: Pick<LeasePort, 'returnLeases'>;
  readonly owner: HoldOwner;
  readonly held: { end(id: string): void };
  /** Writes the usage of calls that are over to Postgres; answers whether it is there. */
  readonly flushUsage: () => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
}

/** A lease that may or may not have been granted: billing did not answer. */
interface UnansweredLease extends LeasePayer {
  readonly id: string;
}

/**
 * Leases that admit no calls any more, on their way back to billing: first all but what was consumed and the worst cases under
 * way, then, once no call is left and the rows of all are in Postgres, the rest. What billing does not answer is sent again.
 */
export class LeaseReturns {
  readonly #options: LeaseReturnsOptions;
  readonly #slices = new Set<LeaseSlice>();
  readonly #unanswered = new Map<string, UnansweredLease>();
  #running: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(options: LeaseReturnsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#slices.size;
  }

  /** Leases that may or may not have been granted: billing did not answer. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  /** Takes a slice that is retired. */
  add(slice: LeaseSlice): void {
    this.#slices.add(slice);
  }

  addUnanswered(lease: UnansweredLease): void {
    this.#unanswered.set(lease.id, lease);
  }

  /** Reports to billing what it does not know yet; never rejects. Resolves when all of this moment is reported. */
  async giveBack(): Promise<void> {
    this.#isAskedAgain = true;
    this.#running ??= this.#giveAll().finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #giveAll(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      try {
        await this.#shrink();
        await this.#end();
      } catch (error) {
        this.#options.onFailure(error);
      }
    }
  }

  async #shrink(): Promise<void> {
    const running = [...this.#slices].filter((slice) => slice.calls > 0 && !slice.isShrunk);
    const returned = await this.#send(running.map((slice) => toReturn(slice, false)));
    for (const slice of running) slice.isShrunk = returned.has(slice.id);
  }

  async #end(): Promise<void> {
    const ended = [...this.#slices].filter((slice) => slice.calls === 0);
    const unanswered = [...this.#unanswered.values()].map(toEmptyReturn);
    if (ended.length + unanswered.length === 0) return;
    const isWritten = ended.length === 0 || (await this.#options.flushUsage());
    const returns = isWritten ? ended.map((slice) => toReturn(slice, true)) : [];
    const returned = await this.#send([...returns, ...unanswered]);
    for (const slice of ended) {
      if (!returned.has(slice.id)) continue;
      this.#slices.delete(slice);
      this.#options.held.end(slice.id);
    }
    for (const { id } of unanswered) if (returned.has(id)) this.#unanswered.delete(id);
  }

  async #send(leases: readonly LeaseReturn[]): Promise<Set<string>> {
    const { port, owner } = this.#options;
    const returned = new Set<string>();
    for (let at = 0; at < leases.length; at += MAX_LEASES_PER_MESSAGE) {
      const ids = await port.returnLeases(owner, leases.slice(at, at + MAX_LEASES_PER_MESSAGE));
      for (const id of ids) returned.add(id);
    }
    return returned;
  }
}

function toReturn({ id, walletId, tokenId, kept }: LeaseSlice, isFinal: boolean): LeaseReturn {
  return { id, walletId, tokenId, amount: kept, isFinal };
}

function toEmptyReturn(lease: UnansweredLease): LeaseReturn {
  return { ...lease, amount: 0n, isFinal: true };
}
