import type { StoredReply } from '@mg/persistence/gateway';

interface Entry {
  readonly reply: StoredReply;
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

  find(name: string): StoredReply | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#drop(name, entry);
    if (entry.untilMs <= this.#nowMs()) return undefined;
    this.#add(name, entry);
    return entry.reply;
  }

  keep(name: string, reply: StoredReply, forMs: number): void {
    const earlier = this.#entries.get(name);
    if (earlier) this.#drop(name, earlier);
    this.#add(name, { reply, untilMs: this.#nowMs() + forMs });
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
