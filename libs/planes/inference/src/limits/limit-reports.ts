import { repeatEvery, type Repetition } from '@mg/runtime';
import type { LimitStore, ReportItem } from '@mg/transport';
import type { Meter, Share } from './meter.js';
import type { MeterBook } from './meter-book.js';
import type { RedisClock } from './redis-clock.js';
import { WindowMeter } from './window-meter.js';

const EVERY_MS = 1_000;
/** Corrections gather for so long; what others may be waiting for is told at the end of the turn. */
const SOON_MS = 100;
/** Meters that were asked for within this time are read anew with each report. */
const RECENT_MS = 2_000;
const ITEMS_AT_ONCE = 200;
/** After Redis is back it is not asked for so long: by then all gateways have told it what they gave out meanwhile. */
const SETTLE_MS = 1_000;

/** Tells Redis that this gateway lives and what it has taken, and knows whether Redis can be asked. */
export class LimitReports {
  readonly #changed = new Set<Meter>();
  #repetition: Repetition | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isTurnPlanned = false;
  #closed = false;
  #life: string | undefined;
  #gateways = 1;
  #rank = 0;
  #isAway = false;
  /** Whether Redis has answered since it was away last: else it is the same outage that goes on. */
  #isHeard = true;
  #awaySinceMs = 0;
  #settledMs = 0;

  constructor(
    private readonly store: LimitStore,
    private readonly book: MeterBook,
    private readonly clock: RedisClock,
  ) {}

  /** Whether each gateway keeps to its own share for now. */
  get isAway(): boolean {
    if (!this.store.ready) this.noteAway();
    return this.#isAway;
  }

  /** Milliseconds until Redis may be asked, once it is back. */
  get settlesInMs(): number {
    return Math.max(0, this.#settledMs - performance.now());
  }

  get share(): Share {
    const [gateways, rank] = [this.#gateways, this.#rank];
    const part = (limit: number) => Math.floor(limit / gateways) + (rank < limit % gateways ? 1 : 0);
    return { part, gateways, sinceMs: this.#awaySinceMs };
  }

  noteAway(): void {
    if (this.#isHeard) this.#awaySinceMs = performance.now();
    this.#isHeard = false;
    this.#isAway = true;
  }

  start(): void {
    this.#repetition = repeatEvery(
      EVERY_MS,
      async () => this.#reportRecent(),
      () => undefined,
    );
  }

  /** Has a meter's change told. Whoever waits elsewhere for a call to end waits for no timer. */
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

  /** Everything that Redis may not know since the connection was gone. */
  tellAll(): void {
    if (this.#life !== undefined) this.noteAway();
    void this.#reportRecent();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#repetition?.close();
    await this.#reportChanged();
  }

  async #reportRecent(): Promise<void> {
    const nowMs = performance.now();
    this.book.forgetUnused(nowMs);
    const isBack = this.#isAway && this.store.ready;
    if (isBack) {
      // From here on nothing is given out that this report does not tell of.
      this.#isAway = false;
      this.#settledMs = nowMs + SETTLE_MS;
    }
    for (const meter of this.book.values()) {
      if (isBack || nowMs - meter.touchedMs < RECENT_MS || !meter.isIdle) this.#changed.add(meter);
    }
    await this.#report([...this.#take()], (meter) => meter.listReports());
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
      this.#isHeard = true;
      [this.#gateways, this.#rank] = [answer.gateways, answer.rank];
      items.forEach(({ meter, amount }, index) => meter.noteUsed(answer.used[index] ?? 0, amount));
      const isNewLife = this.#life !== undefined && this.#life !== answer.life;
      this.#life = answer.life;
      if (isNewLife) await this.#report([...this.book.values()], (meter) => meter.listAll());
    } catch {
      for (const { meter, bucket, amount } of items) {
        if (meter instanceof WindowMeter) meter.tellAgain(bucket, amount);
        if (!this.#closed) this.#changed.add(meter);
      }
      this.noteAway();
    }
  }
}
