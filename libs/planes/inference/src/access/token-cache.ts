import type { CallerToken } from '@mg/contract';
import { limitEntries } from '@mg/runtime';
import { LRUCache } from 'lru-cache';

const KNOWN_TTL_MS = 60_000;
const UNKNOWN_TTL_MS = 1_000;
const MAX_KNOWN = 50_000;
const MAX_UNKNOWN = 10_000;

/**
 * Tokens by the hash of their key, in memory: a call asks the database only for a key it has not seen for a minute.
 * A change announced by the database takes effect at once.
 */
export class TokenCache {
  readonly #find: (keyHash: string) => Promise<CallerToken | undefined>;
  readonly #known = new LRUCache<string, CallerToken>({ ...limitEntries(MAX_KNOWN), ttl: KNOWN_TTL_MS });
  readonly #unknown = new LRUCache<string, true>({ ...limitEntries(MAX_UNKNOWN), ttl: UNKNOWN_TTL_MS });
  readonly #finding = new Map<string, Promise<CallerToken | undefined>>();
  #generation = 0;

  constructor(find: (keyHash: string) => Promise<CallerToken | undefined>) {
    this.#find = find;
  }

  /** What is known of a key without asking anybody; `undefined` when nothing is. */
  recall(keyHash: string): CallerToken | 'unknown' | undefined {
    return this.#known.get(keyHash) ?? (this.#unknown.has(keyHash) ? 'unknown' : undefined);
  }

  /** Asks for the token of a key, once for all who ask at the same time. */
  find(keyHash: string): Promise<CallerToken | undefined> {
    const running = this.#finding.get(keyHash);
    if (running) return running;
    const finding = this.#findAndKeep(keyHash).finally(() => this.#finding.delete(keyHash));
    this.#finding.set(keyHash, finding);
    return finding;
  }

  forget(keyHash: string): void {
    this.#generation++;
    this.#known.delete(keyHash);
    this.#unknown.delete(keyHash);
    this.#finding.delete(keyHash);
  }

  forgetAll(): void {
    this.#generation++;
    this.#known.clear();
    this.#unknown.clear();
    this.#finding.clear();
  }

  async #findAndKeep(keyHash: string): Promise<CallerToken | undefined> {
    const generation = this.#generation;
    const token = await this.#find(keyHash);
    // What changed while we were reading may be older than the change: use it once, do not keep it.
    if (generation === this.#generation) {
      if (token) this.#known.set(keyHash, token);
      else this.#unknown.set(keyHash, true);
    }
    return token;
  }
}
