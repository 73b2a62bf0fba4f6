import {
  formatUsd,
  GatewayError,
  type HoldOwner,
  type HoldRequest,
  type NanoUsd,
  RENEWED_HOLD_SECONDS,
  type TopUpOutcome,
  type TopUpRequest,
  type WalletOpenRequest,
} from '@mg/contract';
import type { DataSource } from 'typeorm';
import { queryWithLongTimeout } from '../query-with-long-timeout.js';
import type { HoldDecision } from './hold-decision.js';
import { HoldOpener } from './open-holds.js';
import { retryConflicts } from './retry-conflicts.js';

/** How a hold ended; see `settle` in the second migration for what each outcome means. */
export type SettleOutcome =
  | 'posted'
  | 'voided'
  | 'expired'
  | 'late_charge'
  | 'true_up'
  | 'checkpointed'
  | 'repeated'
  | 'mismatched'
  | 'unknown'
  | 'failed';

export interface SettledHold {
  readonly requestId: string;
  readonly outcome: SettleOutcome;
  /** The request's charge, where it was charged or corrected. */
  readonly charged: NanoUsd | undefined;
}

/** A figure that differs from what its entries or holds sum up to. */
export interface DriftRow {
  readonly what: string;
  readonly id: string;
  readonly expected: string;
  readonly actual: string;
}

type OpenHoldKind = 'call' | 'video' | 'batch' | 'lease';

export interface OpenHoldTotals {
  readonly kind: OpenHoldKind;
  readonly count: number;
  readonly amount: NanoUsd;
  readonly oldestAgeSeconds: number;
}

/** The verbs of money. Each is one round trip and one transaction, and may be asked again by the same id. */
export class WalletLedger {
  readonly #holds: HoldOpener;

  constructor(private readonly database: DataSource) {
    this.#holds = new HoldOpener(database);
  }

  /** Sets money aside for calls: `HoldOpener`. */
  openHolds(requests: readonly HoldRequest[]): Promise<HoldDecision[]> {
    return this.#holds.open(requests);
  }

  /** Releases a hold that was not used; `repeated` when it had ended before, `unknown` when it never was. */
  async voidHold(requestId: string): Promise<SettleOutcome> {
    const [row] = await retryConflicts(() =>
      this.database.query<{ outcome: SettleOutcome }[]>('select hold_void($1) as outcome', [requestId]),
    );
    return row?.outcome ?? 'unknown';
  }

  /**
   * Credits a wallet, or adjusts it by a negative amount, once for each key.
   *
   * @throws GatewayError `not_found` for an unknown wallet, `idempotency_conflict` when the key was used for another amount,
   *   `insufficient_balance` when more would be taken out than is available, `invalid_request` beyond what a balance holds.
   */
  async topUp(request: TopUpRequest): Promise<TopUpOutcome> {
    const [row] = await retryConflicts(() =>
      this.database.query<{ entry_id: string | null; balance: string | null; refused: string | null }[]>(
        'select * from topup($1, $2, $3, $4)',
        [request.walletId, request.amount.toString(), request.note, request.idempotencyKey],
      ),
    );
    if (row?.refused === 'mismatch') {
      throw new GatewayError('idempotency_conflict', 'This idempotency key was used for another amount.', {
        param: 'idempotency_key',
      });
    }
    if (row?.refused === 'insufficient_balance') {
      const available = formatUsd(BigInt(row.balance ?? 0));
      throw new GatewayError('insufficient_balance', `The wallet has ${available} USD available.`, {
        param: 'amount',
      });
    }
    if (row?.refused === 'too_large') {
      throw new GatewayError('invalid_request', 'A balance may not exceed 8000000000 USD.', {
        param: 'amount',
      });
    }
    if (!row?.entry_id || row.balance === null) {
      throw new GatewayError('not_found', 'There is no wallet of this id.', { param: 'wallet_id' });
    }
    return { entryId: row.entry_id, balance: BigInt(row.balance) };
  }

  /**
   * Sets how far a wallet may go below zero; answers the limit before.
   *
   * @throws GatewayError `not_found` for an unknown wallet.
   */
  async limitCredit(walletId: string, creditLimit: NanoUsd): Promise<NanoUsd> {
    const [row] = await retryConflicts(() =>
      this.database.query<{ earlier: string | null }[]>('select wallet_limit_credit($1, $2) as earlier', [
        walletId,
        creditLimit.toString(),
      ]),
    );
    if (!row?.earlier) {
      throw new GatewayError('not_found', 'There is no wallet of this id.', { param: 'wallet_id' });
    }
    return BigInt(row.earlier);
  }

  /** Creates the wallet of a name with its opening balance, or finds it as it is; answers its id. */
  async openWallet(request: WalletOpenRequest): Promise<string> {
    const [row] = await retryConflicts(() =>
      this.database.query<{ wallet_id: string }[]>('select wallet_open($1, $2, $3, $4) as wallet_id', [
        request.id,
        request.name,
        request.userId ?? null,
        request.openingBalance.toString(),
      ]),
    );
    if (!row) throw new Error('wallet_open answered nothing');
    return row.wallet_id;
  }

  /**
   * Returns what a request was charged, once; answers the amount.
   *
   * @throws GatewayError `not_found` for an unknown request, `conflict` while its hold is open.
   */
  async refund(requestId: string, note: string): Promise<NanoUsd> {
    const [row] = await retryConflicts(() =>
      this.database.query<{ refunded: string | null; refused: string | null }[]>(
        'select * from refund($1, $2)',
        [requestId, note],
      ),
    );
    if (row?.refused === 'still_open')
      throw new GatewayError('conflict', 'This request has not been charged yet.');
    if (!row || row.refunded === null)
      throw new GatewayError('not_found', 'There is no charged request of this id.');
    return BigInt(row.refunded);
  }

  /** Has open holds of an epoch of a process stand for `RENEWED_HOLD_SECONDS` from now; answers the ids of those that do. */
  async renewHolds({ instance, epoch }: HoldOwner, requestIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }[]>(
      'select hold_renew($1, $2, $3, make_interval(secs => $4)) as id',
      [requestIds, instance, epoch, RENEWED_HOLD_SECONDS],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Has the open hold of a call charge by another price, and by the model that this is the price of; answers whether it does.
   * Only for an epoch of a process that holds it.
   */
  async repriceHold(
    { instance, epoch }: HoldOwner,
    requestId: string,
    priceVersionId: string,
  ): Promise<boolean> {
    // `update ... returning` answers its rows and their number.
    const [rows] = await this.database.query<[{ id: string }[], number]>(
      `update hold h set price_version_id = p.id, model_slug = p.model_slug
         from price_version p
        where p.id = $2 and h.id = $1 and h.state = 'open' and h.kind = 'request'
          and h.owner_instance = $3 and h.owner_epoch = $4
        returning h.id`,
      [requestId, priceVersionId, instance, epoch],
    );
    return rows.length === 1;
  }

  /** Requests whose usage Postgres refused for what it is: their holds wait for an operator. */
  async countRefusedUsage(): Promise<number> {
    const [row] = await this.database.query<{ count: string }[]>(
      'select count(*) as count from refused_usage',
    );
    return Number(row?.count ?? 0);
  }

  /** Answers when the database does. */
  async ping(): Promise<void> {
    await this.database.query('select 1');
  }

  /** Ends holds that nobody will end, by rule. Answers none while another sweeper is at it. */
  async sweep(limit: number): Promise<SettledHold[]> {
    const rows = await retryConflicts(() =>
      this.database.query<{ request_id: string; outcome: SettleOutcome; charged: string | null }[]>(
        'select * from sweep($1)',
        [limit],
      ),
    );
    return rows.map((row) => ({
      requestId: row.request_id,
      outcome: row.outcome,
      charged: row.charged === null ? undefined : BigInt(row.charged),
    }));
  }

  /** Every figure that is not the sum it should be, in one snapshot. Any row is a fault of this software. */
  async findDrift(): Promise<DriftRow[]> {
    return queryWithLongTimeout<DriftRow>(this.database, 'select * from money_drift()');
  }

  /** Open holds of calls, of video tasks and of lines that providers carry out in batches, and leases that have not ended. */
  async totalOpenHolds(): Promise<OpenHoldTotals[]> {
    const rows = await this.database.query<
      { kind: OpenHoldKind; count: string; amount: string; age: string }[]
    >(
      `select kinds.kind, count(held.amount) as count, coalesce(sum(held.amount), 0) as amount,
              coalesce(extract(epoch from now() - min(held.created_at)), 0) as age
         from (values ('call'), ('video'), ('batch'), ('lease')) as kinds (kind)
         left join (
           select case when kind = 'video' then 'video' when owner_instance = 'batch' then 'batch' else 'call' end as kind,
                  amount, created_at
             from hold where state = 'open'
           union all
           select 'lease', amount - consumed, created_at from lease where state in ('open', 'shrunk', 'closing')
         ) as held using (kind) group by kinds.kind`,
    );
    return rows.map(({ kind, count, amount, age }) => ({
      kind,
      count: Number(count),
      amount: BigInt(amount),
      oldestAgeSeconds: Number(age),
    }));
  }
}
