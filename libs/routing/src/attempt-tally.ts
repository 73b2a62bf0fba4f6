import { type AttemptFailure, type AttemptFigures, type AttemptPart, classOf } from '@mg/contract';

/** Characters of an upstream's words that are kept. */
const MAX_REASON = 256;

interface Counts extends AttemptPart {
  served: number;
  failed: number;
  readonly wholeMs: number[];
  readonly firstMs: number[];
  lastFailure: AttemptFailure | undefined;
}

/** How attempts went since figures were taken last. Parts are those of the catalog, so they stay few. */
export class AttemptTally {
  #counts = new Map<string, Counts>();
  #asked = new Set<string>();

  constructor(private readonly now: () => Date = () => new Date()) {}

  /** An attempt brought an answer: as a whole after so long, or the first event of a stream. */
  noteServed(part: AttemptPart, kind: 'whole' | 'stream', ms: number): void {
    const counts = this.#of(part);
    counts.served++;
    const histogram = kind === 'whole' ? counts.wholeMs : counts.firstMs;
    const index = classOf(ms);
    while (histogram.length <= index) histogram.push(0);
    histogram[index] = (histogram[index] ?? 0) + 1;
  }

  /** An attempt failed, and its caller was not at fault. */
  noteFailed(part: AttemptPart, { status, reason }: Pick<AttemptFailure, 'status' | 'reason'>): void {
    const counts = this.#of(part);
    counts.failed++;
    counts.lastFailure = { at: this.now(), status, reason: reason.slice(0, MAX_REASON) };
  }

  /** A channel answers, and how that ends is noted later. */
  noteAsked(channelId: string): void {
    this.#asked.add(channelId);
  }

  /** What was counted; counting begins anew. */
  take(): AttemptFigures[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }

  /** Ids of the channels that were asked since this was asked last. */
  takeAsked(): ReadonlySet<string> {
    const asked = this.#asked;
    this.#asked = new Set();
    return asked;
  }

  #of({ channelId, model, key }: AttemptPart): Counts {
    this.#asked.add(channelId);
    const name = `${channelId} ${model} ${key}`;
    let counts = this.#counts.get(name);
    if (!counts) {
      counts = {
        channelId,
        model,
        key,
        served: 0,
        failed: 0,
        wholeMs: [],
        firstMs: [],
        lastFailure: undefined,
      };
      this.#counts.set(name, counts);
    }
    return counts;
  }
}
