import { limitEntries } from '@mg/runtime';
import { LRUCache } from 'lru-cache';

const MOST_KEYS = 20_000;

interface Share {
  left: number;
  readAt: number;
  /** Refused requests since something was given last. */
  missed: number;
}

export interface AllowanceRule {
  /** So many at once, */
  readonly atOnce: number;
  /** and beyond them one in so many seconds. */
  readonly secondsForOne: number;
}

/**
 * Refused calls of one key that are logged one by one, 86,400 a day at most beyond the first 10,000, some fifty megabytes: they
 * cost their caller nothing, so that a key that asks in a loop could fill the disk.
 */
export const REFUSALS: AllowanceRule = { atOnce: 10_000, secondsForOne: 1 };
/** Calls of one key whose bodies are kept. */
export const CAPTURES: AllowanceRule = { atOnce: 100, secondsForOne: 5 };

/** What each key may have written down of it in one process. */
export class Allowance {
  readonly #shares = new LRUCache<string, Share>(limitEntries(MOST_KEYS));

  /** @param now milliseconds of a clock that never goes back. */
  constructor(
    private readonly rule: AllowanceRule,
    private readonly now: () => number,
  ) {}

  /** @returns how many requests of the key were refused before; `undefined` when this one is. */
  take(key: string): number | undefined {
    const { atOnce, secondsForOne } = this.rule;
    const now = this.now();
    const share = this.#shares.get(key) ?? { left: atOnce, readAt: now, missed: 0 };
    share.left = Math.min(atOnce, share.left + (now - share.readAt) / (secondsForOne * 1_000));
    share.readAt = now;
    this.#shares.set(key, share);
    if (share.left < 1) {
      share.missed++;
      return undefined;
    }
    share.left--;
    const { missed } = share;
    share.missed = 0;
    return missed;
  }
}
