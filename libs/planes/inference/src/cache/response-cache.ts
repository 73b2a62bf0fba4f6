import type { Usage } from '@mg/contract';
import type { StoredReply } from '@mg/persistence/gateway';

/** An answer, and what it was billed by. */
export interface KeptAnswer {
  readonly reply: StoredReply;
  /** Slug of the model that gave it. */
  readonly model: string;
  readonly usage: Usage;
}

interface Entry extends KeptAnswer {
  readonly walletId: string;
  readonly keptAtMs: number;
  readonly untilMs: number;
}

/** What one wallet has in the cache; names that were not asked for longest come first. */
interface Share {
  readonly names: Set<string>;
  bytes: number;
}

/** Bytes of an entry beside its body. */
const ENTRY_BYTES = 1_024;
/** Share of the whole that one wallet may have, so that its answers do not push out those of all others. */
const SHARE_OF_ONE_WALLET = 0.5;

/**
 * Answers in memory, by a name of the whole request; those that were not asked for longest make room for new ones. A name says
 * which wallet it belongs to.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, Share>();
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  #bytes = 0;

  constructor(maxBytes: number, nowMs: () => number) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  /** An answer that is no older than so many milliseconds. */
  find(name: string, maxAgeMs: number): KeptAnswer | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#drop(name, entry);
    const nowMs = this.#nowMs();
    if (entry.untilMs <= nowMs) return undefined;
    this.#add(name, entry);
    return nowMs - entry.keptAtMs < maxAgeMs ? entry : undefined;
  }

  /** @param forMs how long it is kept, in milliseconds, if nothing newer needs its room. */
  keep(name: string, walletId: string, answer: KeptAnswer, forMs: number): void {
    const earlier = this.#entries.get(name);
    if (earlier) this.#drop(name, earlier);
    const keptAtMs = this.#nowMs();
    this.#add(name, { ...answer, walletId, keptAtMs, untilMs: keptAtMs + forMs });
    this.#cutShare(walletId);
    while (this.#bytes > this.#maxBytes) this.#dropFirst(this.#entries.keys());
  }

  #cutShare(walletId: string): void {
    const most = this.#maxBytes * SHARE_OF_ONE_WALLET;
    for (const name of this.#shares.get(walletId)?.names ?? []) {
      if ((this.#shares.get(walletId)?.bytes ?? 0) <= most) return;
      this.#dropFirst([name]);
    }
  }

  #add(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    const bytes = entry.reply.body.length + ENTRY_BYTES;
    this.#bytes += bytes;
    const share = this.#shares.get(entry.walletId) ?? { names: new Set(), bytes: 0 };
    share.names.add(name);
    share.bytes += bytes;
    this.#shares.set(entry.walletId, share);
  }

  #dropFirst(names: Iterable<string>): void {
    for (const name of names) {
      const entry = this.#entries.get(name);
      if (entry) this.#drop(name, entry);
      return;
    }
  }

  #drop(name: string, entry: Entry): void {
    this.#entries.delete(name);
    const bytes = entry.reply.body.length + ENTRY_BYTES;
    this.#bytes -= bytes;
    const share = this.#shares.get(entry.walletId);
    if (!share) return;
    share.names.delete(name);
    share.bytes -= bytes;
    if (share.names.size === 0) this.#shares.delete(entry.walletId);
  }
}
