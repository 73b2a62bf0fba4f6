import {
  type BookedWaste,
  LeaseLedger,
  ProcessLedger,
  TaskLedger,
  WalletLedger,
  WasteLedger,
} from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { RedisRpcServer } from '@mg/transport';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { JournalPoster } from './journal-poster.js';
import { ListeningSpan } from './listening-span.js';
import { LOGGER } from './logger-token.js';

const EVERY_MS = 5_000;
const FORGET_EVERY_MS = 10 * 60_000;
const BATCH = 500;
/** Video workers end tasks at their deadline; so long after it, none is left. */
const TASK_GRACE_SECONDS = 600;
/** A process without a heartbeat for so long is over, whatever its successor is called. */
const SILENCE_SECONDS = 60;
/** What a process wrote last is posted by then. */
const LATE_POST_SECONDS = 10;

/** Ends the holds that nobody will end, every few seconds. Postgres lets one plane do it at a time. */
@Injectable()
export class Sweeper {
  #repetition: Repetition | undefined;
  #last: Promise<void> = Promise.resolve();
  #failing = false;
  #forgotMs: number | undefined;
  readonly #listening = new ListeningSpan();

  constructor(
    private readonly ledger: WalletLedger,
    private readonly tasks: TaskLedger,
    private readonly waste: WasteLedger,
    private readonly poster: JournalPoster,
    private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly requests: RedisRpcServer,
    private readonly leases: LeaseLedger,
    private readonly processes: ProcessLedger,
  ) {}

  start(): void {
    this.#repetition = repeatEvery(
      EVERY_MS,
      () => this.sweep(),
      () => undefined,
    );
  }

  /** A process has died, for a new epoch of it is there: ends its calls at once, and logs those that it could not log. */
  async endEarlierEpochs(): Promise<void> {
    await this.poster.postNow();
    await this.sweep();
  }

  /** One round, after the one in progress. */
  sweep(): Promise<void> {
    this.#last = this.#sweepAfter(this.#last);
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
    await this.#last;
  }

  async #sweepAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    try {
      // Once this is answered, the database is there.
      this.metrics.showRefusedUsage(await this.ledger.countRefusedUsage());
      // Heartbeats of other processes are requests.
      this.#listening.note(this.requests.connected);
      await this.#endUnresponsiveOwners();
      await this.#sweepHolds();
      await this.#sweepTasks();
      await this.#sweepLeases();
      await this.#bookWaste();
      for (const totals of await this.ledger.totalOpenHolds()) this.metrics.openHolds.show(totals);
      await this.#forgetEndedOwners();
      await this.#logLostCalls();
      this.#failing = false;
    } catch (error) {
      this.#listening.note(false);
      if (!this.#failing)
        this.logger.error({ reason: errorMessage(error) }, 'holds cannot be swept at the moment');
      this.#failing = true;
    }
  }

  async #forgetEndedOwners(): Promise<void> {
    const nowMs = performance.now();
    if (this.#forgotMs !== undefined && nowMs - this.#forgotMs < FORGET_EVERY_MS) return;
    await this.processes.deleteEndedOwners();
    this.#forgotMs = nowMs;
  }

  /** Posts first what those who fell silent have left in the journal, so that only the rest is ended by rule. */
  async #endUnresponsiveOwners(): Promise<void> {
    if (this.#listening.ms < SILENCE_SECONDS * 1_000) return;
    const ended = await this.processes.endUnresponsiveOwners(SILENCE_SECONDS);
    if (ended.length > 0) await this.poster.postNow();
    for (const owner of ended) {
      this.logger.info(owner, 'no heartbeat for a minute: the holds of the process are ended');
    }
  }

  async #sweepHolds(): Promise<void> {
    for (let swept = BATCH; swept === BATCH;) {
      const holds = await this.ledger.sweep(BATCH);
      swept = holds.length;
      this.metrics.observeSweep(holds);
      const lost = holds.filter(({ outcome }) => outcome === 'expired').map(({ requestId }) => requestId);
      if (lost.length > 0) await this.#countWaste(() => this.waste.bookLostCalls(lost));
      for (const { requestId, outcome } of holds) {
        this.logger.warn(
          { request_id: requestId, outcome },
          'a hold that its process had not ended has been ended',
        );
      }
    }
  }

  /** What could not be booked before, and videos that were given up since. */
  async #bookWaste(): Promise<void> {
    const { booked, givenUp, reason } = await this.waste.retryFailed();
    this.metrics.waste.count(booked);
    this.metrics.waste.countGivenUp(givenUp);
    if (givenUp > 0)
      this.logger.error({ count: givenUp, reason }, 'waste could not be booked and is given up');
    await this.#countWaste(() => this.waste.bookRefundedVideos(BATCH));
  }

  /** Nothing else of a sweep depends on it. */
  async #countWaste(book: () => Promise<readonly BookedWaste[]>): Promise<void> {
    try {
      this.metrics.waste.count(await book());
    } catch (error) {
      this.logger.error({ reason: errorMessage(error) }, 'waste could not be booked and is tried again');
    }
  }

  /** Calls that were charged and whose process ended before it had logged them, whoever noticed its end. */
  async #logLostCalls(): Promise<void> {
    try {
      const count = await this.processes.logLostCalls(LATE_POST_SECONDS);
      if (count > 0) this.logger.warn({ count }, 'calls of lost processes have been logged for them');
    } catch (error) {
      // Tried again in the next round. Nothing else of a sweep depends on it.
      this.logger.error({ reason: errorMessage(error) }, 'calls of lost processes could not be logged');
    }
  }

  /** Those that their owners are closing are not logged. */
  async #sweepLeases(): Promise<void> {
    for (let swept = BATCH; swept === BATCH;) {
      const leases = await this.leases.sweep(BATCH);
      swept = leases.length;
      for (const { id, outcome, freed } of leases) {
        if (outcome === 'expired')
          this.logger.warn(
            { lease_id: id, freed: freed.toString() },
            'a lease that its gateway had not returned has been freed',
          );
      }
    }
  }

  async #sweepTasks(): Promise<void> {
    for (let swept = BATCH; swept === BATCH;) {
      const ids = await this.tasks.sweepTasks({ graceSeconds: TASK_GRACE_SECONDS, limit: BATCH });
      swept = ids.length;
      for (const taskId of ids) {
        this.metrics.countTaskEnd('expired');
        this.logger.error({ task_id: taskId }, 'a video task that no worker had ended has been refunded');
      }
    }
  }
}
