import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const CHECK_EVERY_MS = 2_000;
/** A process whose event loop takes less than this share of a processor has nothing urgent to do. */
const IDLE_SHARE = 0.1;
/** Looks in a row that found it idle: between the parts of a burst nobody should pay for a longer collection. */
const IDLE_CHECKS = 3;
/** Collections after which V8 has given back what it can: as many as it makes of an idle process by itself. */
const COLLECTIONS = 2;
const MICROSECONDS_IN_MS = 1_000;
/** Memory that is worth collecting, as a multiple of the least that the process had since it last gave some back. */
const GROWTH = 1.3;
const FLAGS = {
  collecting: ['--optimize-for-size', '--memory-reducer-favors-memory'],
  otherwise: ['--no-optimize-for-size', '--no-memory-reducer-favors-memory'],
} as const;

/**
 * Has V8 collect the garbage of a burst once the process is idle, and give its pages back. V8 does so by itself where next
 * to nothing is allocated; a process that is asked for its health and its metrics allocates more than that, and would keep
 * hundreds of megabytes until the next burst. The flags lift that condition. They also make collections longer, and drop
 * compiled code (`keepCompiledCode`), so that they are not set for a process that is busy or has as much memory as ever.
 *
 * @see https://github.com/v8/v8/blob/13.6.233/src/heap/memory-reducer.cc
 */
export function returnMemoryWhenIdle(lookEveryMs = CHECK_EVERY_MS): void {
  const memory = new IdleMemory();
  let collections: CountedCollections | undefined;
  let seen = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(seen);
    seen = process.threadCpuUsage();
    const next = memory.look({
      isIdle: (user + system) / MICROSECONDS_IN_MS < lookEveryMs * IDLE_SHARE,
      bytes: process.memoryUsage.rss(),
      isCollected: (collections?.count ?? 0) >= COLLECTIONS,
    });
    if (next === undefined) return;
    collections?.stop();
    collections = next === 'collecting' ? new CountedCollections() : undefined;
    setFlags(next);
  };
  setInterval(look, lookEveryMs).unref();
}

/** What one look at the process has found. */
interface Look {
  readonly isIdle: boolean;
  /** Resident. */
  readonly bytes: number;
  /** Whether V8 has collected since it was told to. */
  readonly isCollected: boolean;
}

/** Decides when V8 is told to give memory back, and until when. */
export class IdleMemory {
  /** The least that the idle process had since it last gave some back: pages are returned for some time after a collection. */
  #usual = Infinity;
  #idleChecks = 0;
  #isCollecting = false;
  /** Whether the collection before left more than is usual, in the same idle time. */
  #hasFailed = false;

  /** @returns what V8 is told, where that is something else from now on. */
  look({ isIdle, bytes, isCollected }: Look): keyof typeof FLAGS | undefined {
    this.#idleChecks = isIdle ? this.#idleChecks + 1 : 0;
    if (!isIdle) this.#hasFailed = false;
    if (this.#usual === Infinity || isIdle) this.#usual = Math.min(this.#usual, bytes);
    if (this.#isCollecting) {
      if (isIdle && !isCollected) return undefined;
      this.#isCollecting = false;
      // What a process has that is busy again is not what it has when it is idle: more would be kept ever after. Nor is what is
      // left by one collection, which may have come in the middle of a burst whose bodies were alive.
      if (isIdle) this.#hasFailed = !this.#hasFailed && bytes > this.#usual * GROWTH;
      if (isIdle && !this.#hasFailed) this.#usual = bytes;
      return 'otherwise';
    }
    if (this.#idleChecks < IDLE_CHECKS || bytes <= this.#usual * GROWTH) return undefined;
    this.#isCollecting = true;
    return 'collecting';
  }
}

/** Counts whole collections from its making on. */
class CountedCollections {
  count = 0;
  readonly #observer = new PerformanceObserver((list) => {
    this.count += list.getEntries().filter(isWhole).length;
  });

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.#observer.disconnect();
  }
}

/** Entries of collections say of which kind each was. */
function isWhole(entry: PerformanceEntry & { readonly detail?: { readonly kind?: number } }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function setFlags(state: keyof typeof FLAGS): void {
  for (const flag of FLAGS[state]) setFlagsFromString(flag);
}
