import {
  EXPIRING_ROWS,
  type ExpiringRows,
  FIRST_BATCH,
  PARTITIONED_ROWS,
  type PartitionedRows,
  Retention,
} from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { LOGGER } from './logger-token.js';

const EVERY_MS = 60_000;
/** Deleting may take a tenth of the database's time and no more. */
const IDLE_PER_WORK = 9;
const WORKS_FOR_MS = 5_000;
const BATCH = 2_000;
/** Bodies are larger than other rows. */
const BODIES = 200;
/** The last state of a process that was killed is of no use any more. */
const REPORTS_KEPT_DAYS = 1;

/** How many days rows of each kind are kept; 0 keeps them for good. */
export type RetentionDays = Readonly<Record<ExpiringRows, number>>;
export const RETENTION_DAYS = Symbol('days that rows are kept');

/** Deletes rows that are older than they are kept, a few at a time. Postgres lets one plane do it at a time. */
@Injectable()
export class RetentionWorker {
  #repetition: Repetition | undefined;
  #closing = false;
  #lastMs = 0;
  /** Where each kind goes on: rows that stay, such as holds of videos, are not looked at every minute. */
  readonly #next = new Map<ExpiringRows, string>();

  constructor(
    private readonly retention: Retention,
    private readonly metrics: BillingMetrics,
    @Inject(RETENTION_DAYS) private readonly days: RetentionDays,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#repetition = repeatEvery(
      () => Math.max(EVERY_MS, this.#lastMs * IDLE_PER_WORK),
      () => this.expire(),
      (error) => this.logger.warn({ reason: errorMessage(error) }, 'old rows could not be deleted'),
    );
  }

  /** One round: each kind for a few seconds at most. */
  async expire(): Promise<void> {
    const started = performance.now();
    try {
      await this.#keepPartitions();
      for (const kind of EXPIRING_ROWS) {
        if (this.days[kind] > 0) await this.#expireKind(kind, performance.now() + WORKS_FOR_MS);
      }
      await this.#expireCapturedBodies(performance.now() + WORKS_FOR_MS);
      await this.retention.expireReports(REPORTS_KEPT_DAYS);
    } finally {
      this.#lastMs = performance.now() - started;
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#repetition?.close();
  }

  /** Whoever uses a table at this very moment goes first: what does not get its lock is tried again in a minute. */
  async #keepPartitions(): Promise<void> {
    for (const kind of PARTITIONED_ROWS) {
      try {
        await this.retention.addPartitions(kind);
        if (this.days[kind] > 0) await this.#detachOld(kind);
        for (let more = true; more && !this.#closing;) {
          more = (await this.retention.dropDetached(kind)) !== undefined;
        }
      } catch (error) {
        this.logger.warn({ reason: errorMessage(error), kind }, 'partitions could not be maintained');
      }
    }
  }

  async #detachOld(kind: PartitionedRows): Promise<void> {
    for (let more = true; more && !this.#closing;) {
      const partition = await this.retention.detachPartition(kind, this.days[kind]);
      if (partition !== undefined)
        this.logger.info({ partition }, 'a partition was older than its rows are kept, and is dropped');
      more = partition !== undefined;
    }
  }

  async #expireCapturedBodies(untilMs: number): Promise<void> {
    for (let more = true; more && !this.#closing && performance.now() < untilMs;) {
      more = (await this.retention.expireCapturedBodies(BODIES)) === BODIES;
    }
  }

  async #expireKind(kind: ExpiringRows, untilMs: number): Promise<void> {
    while (!this.#closing && performance.now() < untilMs) {
      const after = this.#next.get(kind) ?? FIRST_BATCH;
      const { deleted, next } = await this.retention.expire(kind, {
        days: this.days[kind],
        after,
        limit: BATCH,
      });
      this.metrics.countExpired(kind, deleted);
      if (next === undefined) return;
      this.#next.set(kind, next);
    }
  }
}
