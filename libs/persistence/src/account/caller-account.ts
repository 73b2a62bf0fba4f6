import type { CallerToken, NanoUsd } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { type LoggedCallRow, RequestLogEntity } from '../entities/request-log.js';
import { onlyUser } from '../console/owner-scope.js';
import { sumUsage, type UsageGroup, type UsageSum } from '../usage/usage-sums.js';

/** What a caller has and may still spend. Amounts in nano-dollars. */
export interface Balance {
  readonly balance: NanoUsd;
  /** Set aside for calls and tasks in progress. */
  readonly held: NanoUsd;
  /** How far the wallet may go below zero. */
  readonly creditLimit: NanoUsd;
  /** The token's spending quota; `undefined` where it has none. */
  readonly quota: NanoUsd | undefined;
  /** What the token has spent so far. */
  readonly used: NanoUsd;
}

interface BalanceRow {
  readonly balance: string;
  readonly held: string;
  readonly credit_limit: string;
  readonly spending_quota: string | null;
  readonly used: string;
}

/** Reads what callers may know of their money: the wallet and the token behind their API key, and no others. */
export class CallerAccount {
  constructor(private readonly database: DataSource) {}

  /** @returns `undefined` when the token is gone, or pays from another wallet meanwhile. */
  async readBalance(caller: CallerToken): Promise<Balance | undefined> {
    const [row] = await this.database.query<BalanceRow[]>(
      `select w.balance, w.held, w.credit_limit, t.spending_quota, t.used
         from token t join wallet w on w.id = t.wallet_id
        where t.id = $1 and t.wallet_id = $2`,
      [caller.id, caller.walletId],
    );
    if (!row) return undefined;
    return {
      balance: BigInt(row.balance),
      held: BigInt(row.held),
      creditLimit: BigInt(row.credit_limit),
      quota: row.spending_quota === null ? undefined : BigInt(row.spending_quota),
      used: BigInt(row.used),
    };
  }

  /** One call that this wallet paid for; `null` for unknown ones and for those of other wallets alike. */
  findCall({ walletId }: CallerToken, requestId: string): Promise<LoggedCallRow | null> {
    return this.database.getRepository(RequestLogEntity).findOneBy({ requestId, walletId });
  }

  /** Sums of this token's calls from one moment to before another. */
  sumUsage(caller: CallerToken, group: UsageGroup, from: Date, to: Date): Promise<UsageSum[]> {
    return sumUsage(this.database.manager, onlyUser(caller.userId), group, { from, to, tokenId: caller.id });
  }
}
