import type { HoldRequest } from '@mg/contract';
import { type HoldDecision, WalletLedger } from '@mg/persistence/billing';
import type { Logger } from '@mg/runtime';
import { retryWhereRefused } from '@mg/transport';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { JournalPoster } from './journal-poster.js';
import { LeaseService } from './lease-service.js';
import { LOGGER } from './logger-token.js';

/** Decides which holds are granted. */
@Injectable()
export class HoldService {
  constructor(
    private readonly ledger: WalletLedger,
    private readonly poster: JournalPoster,
    private readonly leases: LeaseService,
    private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** One decision for each request, in order. */
  async open(requests: readonly HoldRequest[]): Promise<HoldDecision[]> {
    const decisions = await retryWhereRefused(
      requests,
      (asked) => this.ledger.openHolds(asked),
      () => this.poster.chargeWaiting(),
    );
    const marked = await this.leases.markLeased(requests, decisions);
    marked.forEach((decision, index) => this.#record(decision, requests[index]?.id));
    return marked;
  }

  #record(decision: HoldDecision, requestId: string | undefined): void {
    this.metrics.countDecision(decision);
    if ('failed' in decision) {
      this.logger.error(
        { request_id: requestId, reason: decision.cause ?? decision.message },
        'a hold could not be opened',
      );
    }
  }
}
