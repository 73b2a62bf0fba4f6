import type { BudgetPeriod, BudgetSubject, NanoUsd } from '@mg/contract';
import type { DataSource } from 'typeorm';

/** A budget of which 80 or 100 per cent have been reached. */
export interface ReachedBudget {
  readonly subject: BudgetSubject;
  readonly subjectId: string;
  readonly period: BudgetPeriod;
  /** Per cent: 80 or 100. */
  readonly reached: number;
  readonly amount: NanoUsd;
  readonly spent: NanoUsd;
}

interface ReachedRow {
  subject: BudgetSubject;
  subject_id: string;
  period: BudgetPeriod;
  reached: number;
  amount: string;
  spent: string;
}

/** What billing reports of budgets; they are counted where money moves. */
export class BudgetLedger {
  constructor(private readonly database: DataSource) {}

  /** Those that have been reached since this was asked last, by whichever billing. */
  async takeReached(): Promise<ReachedBudget[]> {
    const rows = await this.database.query<ReachedRow[]>('select * from budgets_reached()');
    return rows.map(({ subject, subject_id: subjectId, period, reached, amount, spent }) => ({
      subject,
      subjectId,
      period,
      reached,
      amount: BigInt(amount),
      spent: BigInt(spent),
    }));
  }
}
