import type { HoldOwner, HoldRequest, LeaseOutcome, LeaseRequest, LeaseReturn } from '@mg/contract';
import { type HoldDecision, LeaseLedger } from '@mg/persistence/billing';
import { Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';

const SWEEP_BATCH = 100;

/** Grants gateways slices of wallets, takes them back, and recalls those that keep others from their last dollar. */
@Injectable()
export class LeaseService {
  constructor(
    private readonly ledger: LeaseLedger,
    private readonly metrics: BillingMetrics,
  ) {}

  /** One outcome for each request, in order. */
  async open(owner: HoldOwner, requests: readonly LeaseRequest[]): Promise<LeaseOutcome[]> {
    const outcomes = await this.ledger.open(owner, requests);
    for (const outcome of outcomes) {
      this.metrics.countLease('granted' in outcome ? 'granted' : outcome.refused);
    }
    return outcomes;
  }

  /** Answers the ids of those that were dealt with. */
  takeBack(owner: HoldOwner, leases: readonly LeaseReturn[]): Promise<string[]> {
    return this.ledger.close(owner, leases);
  }

  /** Marks those refusals that rest on leases alone as `leased`; the owners of those leases are notified. */
  async markLeased(
    requests: readonly HoldRequest[],
    decisions: readonly HoldDecision[],
  ): Promise<HoldDecision[]> {
    const refused = requests.filter((_, index) => isForLackOfFunds(decisions[index]));
    if (refused.length === 0) return [...decisions];
    const leased = await this.ledger.recall(refused);
    // What leases that are closed hold to the last is there when the hold is asked for again.
    if (leased.size > 0) await this.ledger.sweep(SWEEP_BATCH);
    return decisions.map((decision, index) =>
      'refused' in decision && leased.has(requests[index]?.id ?? '')
        ? { ...decision, leased: true }
        : decision,
    );
  }
}

function isForLackOfFunds(decision: HoldDecision | undefined): boolean {
  return decision !== undefined && 'refused' in decision && decision.refused !== 'invalid_api_key';
}
