import type { NanoUsd, TaskEnd, TaskEndOutcome, TaskOpenRequest } from '@mg/contract';
import { type HoldDecision, TaskLedger } from '@mg/persistence/billing';
import type { Logger } from '@mg/runtime';
import { retryIfRefused } from '@mg/transport';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { JournalPoster } from './journal-poster.js';
import { LeaseService } from './lease-service.js';
import { LOGGER } from './logger-token.js';

/** Decides on video tasks: whether they may begin, what they cost, and what is left of that when they end. */
@Injectable()
export class TaskService {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly poster: JournalPoster,
    private readonly leases: LeaseService,
    private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Holds the cost of a task and writes it. */
  async open(request: TaskOpenRequest): Promise<HoldDecision> {
    const answer = await retryIfRefused(
      () => this.ledger.openTask(request),
      () => this.poster.chargeWaiting(),
    );
    const [decision = answer] = await this.leases.markLeased([request.hold], [answer]);
    this.metrics.countDecision(decision);
    if ('failed' in decision) {
      this.logger.error(
        { request_id: request.task.id, reason: decision.cause ?? decision.message },
        'a video task could not be opened',
      );
    }
    return decision;
  }

  charge(taskId: string): Promise<NanoUsd> {
    return this.ledger.chargeTask(taskId);
  }

  async end(end: TaskEnd): Promise<TaskEndOutcome> {
    const outcome = await this.ledger.endTask(end);
    if (outcome.ended) this.metrics.countTaskEnd(end.state);
    return outcome;
  }
}
