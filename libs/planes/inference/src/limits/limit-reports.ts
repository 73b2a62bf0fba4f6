import { repeatEvery, type Repetition } from '@mg/runtime';
import { FIGURES_AT_ONCE, type LimitStore, type ReportItem } from '@mg/transport';
import type { Meter, Share } from './meter.js';
import type { MeterRegistry } from './meter-registry.js';
import type { RedisClock } from './redis-clock.js';
import { WindowMeter } from './window-meter.js';

const EVERY_MS = 1_000;
/** How old what a gateway knows of the limits that others use may be when Redis becomes unavailable. */
const LISTEN_EVERY_MS = 250;
/** More has changed than is told at once: so often it is asked for the rest before the next time. */
const MOST_AT_ONCE = 8;
/** Corrections are batched for so long; what others may wait for is reported at the end of the turn. */
const SOON_MS = 100;
/** Meters that were asked for within this time are read again with each report. */
const RECENT_MS = 2_000;
const ITEMS_AT_ONCE = 200;
/**
 * After Redis is back it is not asked for so long: by then all gateways have reported what they granted meanwhile. On a busy machine they
 * come back up to a second after each other.
 */
const SETTLE_MS = 2_500;

/** How many gateways there are, and the place of this one among them by name, from 0. */
export interface Neighbours {
  readonly gateways: number;
  readonly rank: number;
}

/** Reports to Redis that this gateway is alive and what it has taken, and knows whether Redis is available. */
export class LimitReports {
  readonly #changed = new Set<Meter>();
  #reporting: Repetition | undefined;
  #listening: Repetition | undefined;
  /** On Redis' clock. */
  #heardUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isTurnPlanned = false;
  #closed = false;
  #dataEpoch: string | undefined;
  #gateways = 1;
  #rank = 0;
  #inOutage = false;
  /** Whether Redis has answered since it was unavailable last: else it is the same outage that goes on. */
  #hasAnswered = true;
  #outageSinceMs = 0;
  #settledMs = 0;
  #isLooking = false;

  constructor(
    private readonly store: LimitStore,
    private readonly registry: MeterRegistry,
    private readonly clock: RedisClock,
    /** Asks somebody else than Redis: for a gateway that starts while that is away. */
    private readonly findNeighbours: () => Promise<Neighbours>,
  ) {}

  /** Whether each gateway keeps to its own share for now. */
  get inOutage(): boolean {
    if (!this.store.ready) this.noteOutage();
    return this.#inOutage;
  }

  /** Milliseconds until Redis may be asked, once it is back. */
  get settlesInMs(): number {
    return Math.max(0, this.#settledMs - performance.now());
  }

  get share(): Share {
    const [gateways, rank] = [this.#gateways, this.#rank];
    const part = (amount: number) => Math.floor(amount / gateways) + (rank < amount % gateways ? 1 : 0);
    return { part, sinceMs: this.#outageSinceMs };
  }

  noteOutage(): void {
    if (this.#hasAnswered) this.#outageSinceMs = performance.now();
    this.#hasAnswered = false;
    this.#inOutage = true;
  }

  start(): void {
    const ignore = () => undefined;
    this.#reporting = repeatEvery(EVERY_MS, async () => this.#reportRecent(), ignore);
    // That Redis is unavailable is noted by reports.
    this.#listening = repeatEvery(LISTEN_EVERY_MS, async () => this.#listen(), ignore);
  }

  /** Has a meter's change reported. The end of a call is reported at once: other gateways may wait for it. */
  note(meter: Meter): void {
    this.#changed.add(meter);
    if (meter.kind === 'calls' && !this.#isTurnPlanned) {
      this.#isTurnPlanned = true;
      setImmediate(() => {
        this.#isTurnPlanned = false;
        void this.#reportChanged();
      });
    } else {
      this.#timer ??= setTimeout(() => void this.#reportChanged(), SOON_MS).unref();
    }
  }

  /** Reports everything that Redis may not know since the connection was lost. */
  reportAll(): void {
    if (this.#dataEpoch !== undefined) this.noteOutage();
    void this.#reportRecent();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#reporting?.close(), this.#listening?.close()]);
    await this.#reportChanged();
  }

  async #reportRecent(): Promise<void> {
    const nowMs = performance.now();
    if (!this.store.ready) this.#lookAround();
    this.registry.forgetUnused(nowMs);
    const isBack = this.#inOutage && this.store.ready;
    if (isBack) {
      // From here on nothing is granted that this report does not contain.
      this.#inOutage = false;
      this.#settledMs = nowMs + SETTLE_MS;
    }
    for (const meter of this.registry.values()) {
      if (isBack || nowMs - meter.touchedMs < RECENT_MS || !meter.isIdle) this.#changed.add(meter);
    }
    await this.#report([...this.#take()], (meter) => meter.listReports());
  }

  /** Hears what other gateways have used, so that it is known when Redis is gone. */
  async #listen(): Promise<void> {
    for (let times = 0; times < MOST_AT_ONCE && this.store.ready && !this.#inOutage; times++) {
      const { nextMs, figures } = await this.store.listen(this.#heardUntilMs);
      this.#heardUntilMs = nextMs;
      for (const figure of figures) this.registry.hear(figure);
      if (figures.length < FIGURES_AT_ONCE) return;
    }
  }

  /** Once Redis has answered, what it said counts. */
  #lookAround(): void {
    if (this.#dataEpoch !== undefined || this.#isLooking) return;
    this.#isLooking = true;
    const note = ({ gateways, rank }: Neighbours) => {
      if (this.#dataEpoch === undefined) [this.#gateways, this.#rank] = [gateways, rank];
    };
    void this.findNeighbours()
      .then(note)
      .catch(() => undefined)
      .finally(() => (this.#isLooking = false));
  }

  async #reportChanged(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size > 0) await this.#report([...this.#take()], (meter) => meter.listReports());
  }

  #take(): ReadonlySet<Meter> {
    if (!this.store.ready) return new Set();
    const changed = new Set(this.#changed);
    this.#changed.clear();
    return changed;
  }

  async #report(meters: readonly Meter[], list: (meter: Meter) => ReportItem[]): Promise<void> {
    if (!this.store.ready) return;
    const items = meters.flatMap((meter) => list(meter).map((item) => ({ ...item, meter })));
    for (let at = 0; at === 0 || at < items.length; at += ITEMS_AT_ONCE) {
      await this.#send(items.slice(at, at + ITEMS_AT_ONCE));
    }
  }

  async #send(items: readonly (ReportItem & { readonly meter: Meter })[]): Promise<void> {
    const askedMs = performance.now();
    try {
      const answer = await this.store.report(items);
      this.clock.note(answer.nowMs, askedMs);
      this.#hasAnswered = true;
      [this.#gateways, this.#rank] = [answer.gateways, answer.rank];
      items.forEach(({ meter, amount }, index) => meter.noteUsed(answer.used[index] ?? 0, amount));
      const isNewEpoch = this.#dataEpoch !== undefined && this.#dataEpoch !== answer.dataEpoch;
      this.#dataEpoch = answer.dataEpoch;
      if (isNewEpoch) await this.#report([...this.registry.values()], (meter) => meter.listAll());
    } catch {
      for (const { meter, bucket, amount } of items) {
        if (meter instanceof WindowMeter) meter.reportAgain(bucket, amount);
        if (!this.#closed) this.#changed.add(meter);
      }
      this.noteOutage();
    }
  }
}
