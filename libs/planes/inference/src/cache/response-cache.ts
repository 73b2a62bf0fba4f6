import type { StoredReply } from '@mg/persistence/gateway';

interface Entry {
  readonly reply: StoredReply;
  readonly keptAtMs: number;
  readonly untilMs: number;
}

/** Bytes of an entry beside its body. */
const ENTRY_BYTES = 1_024;

/** Answers in memory, by a name of the whole request; those that were not asked for longest make room for new ones. */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  #bytes = 0;

  constructor(maxBytes: number, nowMs: () => number) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  /** An answer that is no older than so many milliseconds. */
  find(name: string, maxAgeMs: number): StoredReply | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#drop(name, entry);
    const nowMs = this.#nowMs();
    if (entry.untilMs <= nowMs) return undefined;
    this.#add(name, entry);
    return nowMs - entry.keptAtMs < maxAgeMs ? entry.reply : undefined;
  }

  keep(name: string, reply: StoredReply, forMs: number): void {
    const earlier = this.#entries.get(name);
    if (earlier) this.#drop(name, earlier);
    const keptAtMs = this.#nowMs();
    this.#add(name, { reply, keptAtMs, untilMs: keptAtMs + forMs });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, entry);
    }
  }

  #add(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#bytes += entry.reply.body.length + ENTRY_BYTES;
  }

  #drop(name: string, entry: Entry): void {
    this.#entries.delete(name);
    this.#bytes -= entry.reply.body.length + ENTRY_BYTES;
  }
}
