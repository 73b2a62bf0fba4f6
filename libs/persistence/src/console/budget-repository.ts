import type { BudgetPeriod } from '@mg/contract';
import type { EntityManager } from 'typeorm';

/** One budget and its current period; amounts in nano-dollars. */
export interface BudgetRow {
  /** The token, wallet or user whose it is. */
  readonly subjectId: string;
  readonly period: BudgetPeriod;
  readonly amount: bigint;
  readonly spent: bigint;
  /** Per cent that have been reported: 0, 80 or 100, which also a refused call reaches. */
  readonly reached: number;
  readonly timezone: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

interface StoredBudget {
  subject_id: string;
  period: BudgetPeriod;
  amount: string;
  spent: string;
  reached: number;
  timezone: string;
  starts_at: Date;
  ends_at: Date;
}

/** The reading side of budgets; billing counts them. */
export class BudgetRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Those of tokens, wallets and users, the shortest period first. One that is over shows the next, in which nothing is spent yet. */
  async list(subjectIds: readonly string[]): Promise<BudgetRow[]> {
    const rows = await this.manager.query<StoredBudget[]>(
      `select subject_id, period, amount, timezone,
              case when ends_at > now() then spent else 0 end as spent,
              case when ends_at > now() then reached else 0 end as reached,
              case when ends_at > now() then starts_at else budget_start(period, timezone) end as starts_at,
              case when ends_at > now() then ends_at else budget_end(period, timezone) end as ends_at
         from budget where subject_id = any($1) order by array_position(array['day', 'week', 'month'], period)`,
      [subjectIds],
    );
    return rows.map(({ subject_id: subjectId, starts_at: startsAt, ends_at: endsAt, ...row }) => ({
      ...row,
      subjectId,
      amount: BigInt(row.amount),
      spent: BigInt(row.spent),
      startsAt,
      endsAt,
    }));
  }
}
