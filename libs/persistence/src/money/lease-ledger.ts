import type {
  HoldOwner,
  HoldRequest,
  LeaseOutcome,
  LeaseRefusal,
  LeaseRequest,
  LeaseReturn,
  NanoUsd,
} from '@mg/contract';
import type { DataSource } from 'typeorm';
import { toHoldColumns } from './hold-decision.js';
import { retryConflicts } from './retry-conflicts.js';

/** For how long the leases of one message wait for locked wallets, all in all. */
const WAIT_FOR_WALLETS_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** A lease that has ended, and what it still held. */
export interface EndedLease {
  readonly id: string;
  /** `closed` by its owner, `expired` by the sweeper. */
  readonly outcome: 'closed' | 'expired';
  readonly freed: NanoUsd;
}

interface LeaseRow {
  readonly id: string;
  readonly granted: string | null;
  readonly refused: LeaseRefusal | null;
}

/** The verbs of leases. Each wallet is asked by itself: while one that is locked is waited for, no other one is held. */
export class LeaseLedger {
  constructor(private readonly database: DataSource) {}

  /** Grants slices of wallets, one outcome for each request, in order. */
  async open(owner: HoldOwner, requests: readonly LeaseRequest[]): Promise<LeaseOutcome[]> {
    const outcomes = new Map<string, LeaseOutcome>();
    await this.#askByWallet(requests, async (walletId, ofWallet) => {
      const questions = ofWallet.map((request) => ({
        id: request.id,
        token_id: request.tokenId,
        wanted: request.wanted.toString(),
        worst: request.worst.toString(),
        ttl_seconds: request.ttlSeconds,
        owner_instance: owner.instance,
        owner_epoch: owner.epoch,
      }));
      const rows = await this.database.query<LeaseRow[]>('select * from lease_open($1, $2::jsonb)', [
        walletId,
        JSON.stringify(questions),
      ]);
      for (const { id, granted, refused } of rows) {
        outcomes.set(
          id,
          granted === null ? { refused: refused ?? 'unknown_payer' } : { granted: BigInt(granted) },
        );
      }
    });
    return requests.map(({ id }) => outcomes.get(id) ?? { refused: 'busy' });
  }

  /** Takes back what leases do not need; answers the ids of those that it has dealt with. */
  async close(owner: HoldOwner, leases: readonly LeaseReturn[]): Promise<string[]> {
    const done: string[] = [];
    await this.#askByWallet(leases, async (walletId, ofWallet) => {
      const rows = ofWallet.map(({ id, tokenId, amount, isFinal }) => ({
        id,
        token_id: tokenId,
        amount: amount.toString(),
        final: isFinal,
      }));
      await this.database.query('select lease_close($1, $2::jsonb, $3, $4)', [
        walletId,
        JSON.stringify(rows),
        owner.instance,
        owner.epoch,
      ]);
      done.push(...ofWallet.map(({ id }) => id));
    });
    return done;
  }

  /**
   * Asks the owners of leases to give back what they do not use, where only leases keep a refused hold from being granted;
   * answers the ids of such holds. What leases hold that wait to be closed is freed by `sweep`.
   */
  async recall(refused: readonly HoldRequest[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }[]>('select lease_recall($1::jsonb) as id', [
      JSON.stringify(refused.map(toHoldColumns)),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Frees what ended leases still hold. Answers none while another sweeper is at it. */
  async sweep(limit: number): Promise<EndedLease[]> {
    const rows = await retryConflicts(() =>
      this.database.query<{ lease_id: string; outcome: EndedLease['outcome']; freed: string }[]>(
        'select * from lease_sweep($1)',
        [limit],
      ),
    );
    return rows.map((row) => ({ id: row.lease_id, outcome: row.outcome, freed: BigInt(row.freed) }));
  }

  /** Leaves out what is asked of wallets that stay locked. */
  async #askByWallet<Item extends { readonly walletId: string }>(
    items: readonly Item[],
    ask: (walletId: string, ofWallet: readonly Item[]) => Promise<void>,
  ): Promise<void> {
    const deadline = performance.now() + WAIT_FOR_WALLETS_MS;
    for (const [walletId, ofWallet] of Map.groupBy(items, (item) => item.walletId)) {
      if (performance.now() >= deadline) return;
      try {
        await retryConflicts(() => ask(walletId, ofWallet));
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
      }
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}
