import type { LeaseRefusal, TaskEndState } from '@mg/contract';
import type {
  ExpiringRows,
  HoldDecision,
  PostedBatch,
  PostOutcome,
  SettledHold,
  SystemRepository,
} from '@mg/persistence/billing';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { OpenHoldMetrics } from './open-hold-metrics.js';
import { WasteMetrics } from './waste-metrics.js';

/** What the billing plane shows of itself on `/metrics`. */
export class BillingMetrics {
  readonly #opened: Counter;
  readonly #refused: Counter<'reason'>;
  readonly #failed: Counter;
  readonly #busy: Counter;
  readonly #leases: Counter<'outcome'>;
  readonly #settled: Counter<'outcome'>;
  readonly #swept: Counter<'outcome'>;
  readonly #lag: Histogram;
  readonly #refusedUsage: Gauge;
  readonly #taskEnds: Counter<'state'>;
  readonly #expired: Counter<'kind'>;
  readonly #budgets: Counter<'subject' | 'period' | 'reached'>;
  readonly openHolds: OpenHoldMetrics;
  readonly waste: WasteMetrics;

  constructor(registry: Registry) {
    const registers = [registry];
    this.openHolds = new OpenHoldMetrics(registry);
    this.waste = new WasteMetrics(registry);
    this.#budgets = new Counter({
      name: 'billing_budgets_reached_total',
      help: 'Budgets of which 80 or 100 per cent were reached, once each in a period.',
      labelNames: ['subject', 'period', 'reached'],
      registers,
    });
    this.#opened = new Counter({ name: 'billing_holds_opened_total', help: 'Holds granted.', registers });
    this.#refused = new Counter({
      name: 'billing_holds_refused_total',
      help: 'Holds refused for want of balance or quota.',
      labelNames: ['reason'],
      registers,
    });
    this.#failed = new Counter({
      name: 'billing_holds_failed_total',
      help: 'Requests for a hold that were at fault themselves.',
      registers,
    });
    this.#busy = new Counter({
      name: 'billing_holds_busy_total',
      help: 'Requests for a hold that could not be decided at the moment, since another transaction kept the wallet or leases hold what is missing.',
      registers,
    });
    this.#leases = createLeases(registry);
    this.#settled = new Counter({
      name: 'billing_settled_total',
      help: 'Requests settled from the journal, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#swept = new Counter({
      name: 'billing_swept_total',
      help: 'Holds ended by the sweeper, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#lag = new Histogram({
      name: 'billing_journal_lag_seconds',
      help: 'Age of the oldest journal row of each posted batch.',
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers,
    });
    this.#refusedUsage = createRefusedUsage(registry);
    this.#expired = new Counter({
      name: 'billing_expired_rows_total',
      help: 'Rows deleted since they were older than they are kept, by kind.',
      labelNames: ['kind'],
      registers,
    });
    this.#taskEnds = new Counter({
      name: 'billing_video_tasks_ended_total',
      help: 'Video tasks ended with their money, by state.',
      labelNames: ['state'],
      registers,
    });
  }

  /** @param reached per cent: 80 or 100. */
  countBudget(subject: string, period: string, reached: number): void {
    this.#budgets.inc({ subject, period, reached: String(reached) });
  }

  countDecision(decision: HoldDecision): void {
    if ('granted' in decision) this.#opened.inc();
    else if ('busy' in decision || ('refused' in decision && decision.leased)) this.#busy.inc();
    else if ('refused' in decision) this.#refused.inc({ reason: decision.refused });
    else this.#failed.inc();
  }

  countLease(outcome: 'granted' | LeaseRefusal): void {
    this.#leases.inc({ outcome });
  }

  countTaskEnd(state: TaskEndState): void {
    this.#taskEnds.inc({ state });
  }

  countExpired(kind: ExpiringRows, count: number): void {
    this.#expired.inc({ kind }, count);
  }

  observeBatch(batch: PostedBatch): void {
    if (batch.taken > 0) this.#lag.observe(batch.lagSeconds);
    for (const [outcome, count] of countBy(batch.rows)) this.#settled.inc({ outcome }, count);
  }

  observeSweep(holds: readonly SettledHold[]): void {
    for (const [outcome, count] of countBy(holds)) this.#swept.inc({ outcome }, count);
  }

  showRefusedUsage(count: number): void {
    this.#refusedUsage.set(count);
  }
}

function createLeases(registry: Registry): Counter<'outcome'> {
  return new Counter({
    name: 'billing_leases_total',
    help: 'Requests for a lease, by outcome: granted, or why not.',
    labelNames: ['outcome'],
    registers: [registry],
  });
}

function createRefusedUsage(registry: Registry): Gauge {
  return new Gauge({
    name: 'billing_refused_usage_requests',
    help: 'Requests whose usage the database refused for what it is: their holds wait for an operator.',
    registers: [registry],
  });
}

/** What the checks of the ledger found, and how long ago, when the metrics are read. */
export interface DriftFigures {
  /** Figures found wrong; `undefined` while that is not known. */
  readonly rows: number | undefined;
  readonly checkAgeSeconds: number;
  readonly roundAgeSeconds: number;
}

/** Shows the checks of the ledger. What is not known any more is shown as no number, and not as what it once was. */
export function observeDrift(registry: Registry, read: () => DriftFigures): void {
  const show = (name: string, help: string, figure: (figures: DriftFigures) => number) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => gauge.set(figure(read())),
    });
  };
  show(
    'billing_drift_rows',
    'Figures that differ from the sum of their rows. Anything but 0 is a fault; NaN: not known at the moment.',
    ({ rows }) => rows ?? Number.NaN,
  );
  show(
    'billing_drift_check_age_seconds',
    'How long ago the ledger was checked against itself.',
    ({ checkAgeSeconds }) => checkAgeSeconds,
  );
  show(
    'billing_drift_round_age_seconds',
    'How long ago every entry of the ledger and every task had been read again.',
    ({ roundAgeSeconds }) => roundAgeSeconds,
  );
}

/** Usage that waits to be charged, asked for when the metrics are read. */
export function observeJournal(registry: Registry, system: SystemRepository): void {
  const oldest = new Gauge({
    name: 'billing_journal_oldest_seconds',
    help: 'Age of the oldest usage row that is not charged yet.',
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'billing_journal_rows',
    help: 'Usage rows that gateways wrote and that are not charged yet.',
    registers: [registry],
    collect: async () => {
      const backlog = await system.findJournalBacklog();
      waiting.set(backlog.count);
      oldest.set(backlog.oldestSeconds);
    },
  });
}

function countBy(rows: readonly { readonly outcome: PostOutcome }[]): Map<PostOutcome, number> {
  const counts = new Map<PostOutcome, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}
