import {
  type HoldOwner,
  type JournalRow,
  type LeaseOutcome,
  type LeaseRequest,
  type NanoUsd,
  newId,
  NO_USAGE,
} from '@mg/contract';
import { type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { writeJournal } from '../journal/write-journal.js';
import { type EndedLease, LeaseLedger } from '../money/lease-ledger.js';
import { JournalLedger } from '../money/post-journal.js';
import { ProcessLedger } from '../money/process-ledger.js';
import { WalletLedger } from '../money/wallet-ledger.js';

export const USD = 1_000_000_000n;
export const MILLI = 1_000_000n;
/** The worst case of the calls of these tests. */
const WORST = 40n * MILLI;
/** An output token costs 0.001 USD. */
const PRICE = { input_per_million: '1', output_per_million: '1000' };

/** A payer, a gateway, and the lease that it asks for: 0.1 USD. */
export interface LeaseScene {
  readonly payer: Payer;
  readonly owner: HoldOwner;
  readonly request: LeaseRequest;
}

/** The figures of a payer, in thousandths of a dollar. */
export interface Account {
  readonly balance: number;
  readonly held: number;
  readonly used: number;
  readonly token_held: number;
  readonly entries: readonly string[];
}

/** What tests do with leases in a database. */
export class LeaseBank {
  readonly leases: LeaseLedger;
  readonly wallets: WalletLedger;
  readonly processes: ProcessLedger;
  readonly journal: JournalLedger;

  constructor(readonly database: DataSource) {
    this.leases = new LeaseLedger(database);
    this.wallets = new WalletLedger(database);
    this.processes = new ProcessLedger(database);
    this.journal = new JournalLedger(database);
  }

  /** A gateway that sends heartbeats; the others of earlier tests have fallen silent. */
  async startGateway(instance = `gateway/${newId()}`): Promise<HoldOwner> {
    await this.database.query(`update plane_instance set ended_at = now() where instance <> $1`, [instance]);
    const owner = { instance, epoch: newId() };
    await this.processes.recordHeartbeat(owner);
    return owner;
  }

  async setUp(options: { balance?: bigint; quota?: bigint } = {}): Promise<LeaseScene> {
    const payer = await seedPayer(this.database, { balance: USD, price: PRICE, ...options });
    return { payer, owner: await this.startGateway(), request: this.ask(payer) };
  }

  ask({ walletId, tokenId }: Payer, changes: Partial<LeaseRequest> = {}): LeaseRequest {
    const wanted = 100n * MILLI;
    return { id: newId(), walletId, tokenId, wanted, worst: WORST, ttlSeconds: 1_200, ...changes };
  }

  async open(owner: HoldOwner, request: LeaseRequest): Promise<LeaseOutcome | undefined> {
    return (await this.leases.open(owner, [request]))[0];
  }

  giveBack({ owner, request }: LeaseScene, amount: NanoUsd, isFinal: boolean): Promise<string[]> {
    const { id, walletId, tokenId } = request;
    return this.leases.close(owner, [{ id, walletId, tokenId, amount, isFinal }]);
  }

  /** What the sweeper makes of this lease. */
  async sweep({ request }: LeaseScene): Promise<EndedLease[]> {
    return (await this.leases.sweep(100)).filter(({ id }) => id === request.id);
  }

  /** A row of a call that was admitted from the lease, of so many output tokens. */
  rowOf({ payer, request }: LeaseScene, outputTokens: number, changes: Partial<JournalRow> = {}): JournalRow {
    const { walletId, tokenId, priceVersionId } = payer;
    return {
      requestId: newId(),
      seq: 1_000_000,
      phase: 'usage',
      usage: { ...NO_USAGE, outputTokens },
      estimated: false,
      payer: { walletId, tokenId, priceVersionId },
      lease: { id: request.id, worst: WORST },
      ...changes,
    };
  }

  /** Writes rows and posts what waits; answers the outcomes. */
  async post(...rows: JournalRow[]): Promise<string[]> {
    await writeJournal(this.database, rows);
    const batch = await this.journal.postWaiting({ limit: 500, wait: false });
    return batch.rows.map((posted) => posted.outcome);
  }

  async readAccount({ walletId, tokenId }: Payer): Promise<Account | undefined> {
    const [row] = await this.database.query<Account[]>(
      `select (w.balance / 1000000)::int as balance, (w.held / 1000000)::int as held, (t.used / 1000000)::int as used,
              (t.held / 1000000)::int as token_held,
              array(select e.kind || ' ' || e.amount / 1000000 from entry e
                     where e.wallet_id = w.id and e.kind <> 'topup' order by e.id) as entries
         from wallet w join token t on t.id = $2 where w.id = $1`,
      [walletId, tokenId],
    );
    return row;
  }

  /** The lease, in thousandths of a dollar. */
  async readLease({ request }: LeaseScene) {
    const [row] = await this.database.query<{ state: string; amount: number; consumed: number }[]>(
      `select state, (amount / 1000000)::int as amount, (consumed / 1000000)::int as consumed from lease where id = $1`,
      [request.id],
    );
    return row;
  }

  /** As if so much time had gone by since the lease was granted. */
  async age({ request }: LeaseScene, interval: string): Promise<void> {
    await this.database.query(
      `update lease set created_at = created_at - $2::interval, admit_until = admit_until - $2::interval,
         expires_at = expires_at - $2::interval where id = $1`,
      [request.id, interval],
    );
  }

  /** @throws Error when the ledger does not balance. */
  async expectNoDrift(): Promise<void> {
    const drift = await this.wallets.findDrift();
    if (drift.length > 0) throw new Error(`the ledger does not balance: ${JSON.stringify(drift)}`);
  }
}
