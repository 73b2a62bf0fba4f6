import { type CallerToken, sha256 } from '@mg/contract';
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
  readonly #known = new LRUCache<string, CallerToken>({ max: MAX_KNOWN, ttl: KNOWN_TTL_MS });
  readonly #unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_TTL_MS });
  readonly #finding = new Map<string, Promise<CallerToken | undefined>>();
  #generation = 0;

  constructor(find: (keyHash: string) => Promise<CallerToken | undefined>) {
    this.#find = find;
  }

  /** The token of a key; synchronous when it is known, so that a warm call does not wait. */
  lookUp(key: string): CallerToken | undefined | Promise<CallerToken | undefined> {
    const keyHash = sha256(key);
    const known = this.#known.get(keyHash);
    if (known) return known;
    if (this.#unknown.has(keyHash)) return undefined;
    return this.#findOnce(keyHash);
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

  #findOnce(keyHash: string): Promise<CallerToken | undefined> {
    const running = this.#finding.get(keyHash);
    if (running) return running;
    const finding = this.#findAndKeep(keyHash).finally(() => this.#finding.delete(keyHash));
    this.#finding.set(keyHash, finding);
    return finding;
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
