import type { Limits, ScopedLimits } from '@mg/contract';
import { type Figure, LIMIT_WINDOWS, nameMeter } from '@mg/transport';
import { CallsMeter } from './calls-meter.js';
import type { Measure, Meter } from './meter.js';
import type { RedisClock } from './redis-clock.js';
import { WindowMeter } from './window-meter.js';

const MEASURES = ['rpm', 'rpd', 'tpm', 'concurrency'] as const satisfies readonly (keyof Limits)[];
const NO_METERS: readonly Meter[] = [];
/** A meter that nobody asked for so long is forgotten: Redis knows what it has counted. */
const FORGOTTEN_AFTER_MS = 15 * 60 * 1_000;

/** Figures that are kept of limits which no call has met here: those that changed last. */
const MOST_HEARD = 10_000;

/** The meters of this process, one for each limit that a call has met lately. */
export class MeterRegistry {
  readonly #meters = new Map<string, Meter>();
  /** Which configuration has said the limit of a meter: a call that began before it was changed may still ask for the older one. */
  readonly #said = new Map<Meter, number>();
  /** What is used of limits that have no meter here, by other gateways: a call may meet them first when Redis is unavailable. */
  readonly #heard = new Map<string, { readonly used: number; readonly atMs: number }>();
  /** By the configuration that names them, so that no name is built for a call. Made anew when meters are forgotten. */
  #found = new WeakMap<ScopedLimits | readonly ScopedLimits[], readonly Meter[]>();

  constructor(
    private readonly clock: RedisClock,
    private readonly onChange: (meter: Meter) => void,
  ) {}

  /** Of several owners, such as all of a key's: a list of them that is the same as before is not looked through again. */
  findAll(limited: readonly ScopedLimits[]): readonly Meter[] {
    if (limited.length === 0) return NO_METERS;
    let meters = this.#found.get(limited);
    if (!meters) {
      meters = limited.flatMap((scoped) => this.find(scoped));
      this.#found.set(limited, meters);
    }
    return meters;
  }

  find(scoped: ScopedLimits): readonly Meter[] {
    const known = this.#found.get(scoped);
    if (known) return known;
    const meters = MEASURES.flatMap((measure) => {
      const limit = scoped.limits[measure];
      return limit === undefined ? [] : [this.#open(scoped, measure, limit)];
    });
    this.#found.set(scoped, meters);
    return meters;
  }

  /** What Redis said just now of a limit that was used at any gateway. */
  hear({ name, used }: Figure): void {
    const meter = this.#meters.get(name);
    if (meter) return meter.noteUsed(used, 0);
    return this.#keep(name, used, performance.now());
  }

  values(): IterableIterator<Meter> {
    return this.#meters.values();
  }

  forgetUnused(nowMs: number): void {
    const before = this.#meters.size;
    for (const meter of this.#meters.values()) {
      if (nowMs - meter.touchedMs < FORGOTTEN_AFTER_MS || !meter.isIdle) continue;
      this.#meters.delete(meter.name);
      this.#keep(meter.name, meter.limit - meter.remaining, meter.touchedMs);
      this.#said.delete(meter);
    }
    if (this.#meters.size < before) this.#found = new WeakMap();
  }

  #keep(name: string, used: number, atMs: number): void {
    this.#heard.delete(name);
    this.#heard.set(name, { used, atMs });
    if (this.#heard.size <= MOST_HEARD) return;
    const [oldest] = this.#heard.keys();
    if (oldest !== undefined) this.#heard.delete(oldest);
  }

  #open({ scope, id, sequence }: ScopedLimits, measure: Measure, limit: number): Meter {
    const name = nameMeter(scope, id, measure);
    let meter = this.#meters.get(name);
    if (!meter) {
      const report = () => this.onChange(opened);
      const opened: Meter =
        measure === 'concurrency'
          ? new CallsMeter(name, scope, limit, report)
          : new WindowMeter({ name, scope, measure, ...LIMIT_WINDOWS[measure] }, limit, this.clock, report);
      meter = opened;
      this.#meters.set(name, meter);
      const heard = this.#heard.get(name);
      this.#heard.delete(name);
      if (heard) meter.noteUsed(heard.used, 0, heard.atMs);
    }
    if (sequence >= (this.#said.get(meter) ?? 0)) {
      meter.limit = limit;
      this.#said.set(meter, sequence);
    }
    return meter;
  }
}
