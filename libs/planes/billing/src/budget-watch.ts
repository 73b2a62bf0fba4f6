import { formatUsd } from '@mg/contract';
import { BudgetLedger, type ReachedBudget } from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { LOGGER } from './logger-token.js';

const EVERY_MS = 5_000;

/** Reports, once each, budgets of which 80 or 100 per cent are reached. */
@Injectable()
export class BudgetWatch {
  #repetition: Repetition | undefined;

  constructor(
    private readonly budgets: BudgetLedger,
    private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#repetition = repeatEvery(
      EVERY_MS,
      async () => {
        for (const budget of await this.budgets.takeReached()) this.#report(budget);
      },
      (error) => this.logger.warn({ reason: errorMessage(error) }, 'budgets cannot be watched at the moment'),
    );
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
  }

  #report({ subject, subjectId, period, reached, amount, spent }: ReachedBudget): void {
    this.metrics.countBudget(subject, period, reached);
    this.logger.warn(
      { subject, id: subjectId, period, reached, amount: formatUsd(amount), spent: formatUsd(spent) },
      `${reached} % of a budget are reached`,
    );
  }
}
