/** How a call is answered, as far as its time is concerned: a stream begins early, a whole answer comes at its end. */
export type AnswerKind = 'stream' | 'whole';

interface Latency {
  ms: number;
  atMs: number;
}

/** Share of a new measurement. */
const NEW_SAMPLE_WEIGHT = 0.3;
/** A measurement counts half after so long, so that a channel that was slow is tried again. */
const HALF_LIFE_MS = 60_000;

/** What this process sees of its channels' work: calls in flight, and how long they take to answer. */
export class ChannelLoad {
  readonly #inFlight = new Map<string, number>();
  readonly #latencies = new Map<string, Latency>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  begin(channelId: string): void {
    this.#inFlight.set(channelId, this.inFlight(channelId) + 1);
  }

  end(channelId: string): void {
    const left = this.inFlight(channelId) - 1;
    if (left > 0) this.#inFlight.set(channelId, left);
    else this.#inFlight.delete(channelId);
  }

  /** Calls that a channel answers at the moment. */
  inFlight(channelId: string): number {
    return this.#inFlight.get(channelId) ?? 0;
  }

  /** @param ms until the first event of a stream, or until a whole answer was there. */
  recordLatency(channelId: string, slug: string, kind: AnswerKind, ms: number): void {
    const key = `${channelId} ${kind} ${slug}`;
    const earlier = this.#latencies.get(key);
    const atMs = this.#nowMs();
    if (!earlier) {
      this.#latencies.set(key, { ms, atMs });
      return;
    }
    earlier.ms = NEW_SAMPLE_WEIGHT * ms + (1 - NEW_SAMPLE_WEIGHT) * earlier.ms;
    earlier.atMs = atMs;
  }

  /** What to expect, in milliseconds: measured, and decayed with its age; `undefined` before any measurement. */
  latency(channelId: string, slug: string, kind: AnswerKind): number | undefined {
    const known = this.#latencies.get(`${channelId} ${kind} ${slug}`);
    return known && known.ms * 0.5 ** ((this.#nowMs() - known.atMs) / HALF_LIFE_MS);
  }
}
