import type { LedgerCheckResult, LedgerCheck } from '@mg/persistence/billing';
import { createLogger } from '@mg/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriftChecker } from './drift-checker.js';

const MINUTE_MS = 60_000;
const WRONG = { what: 'wallet.balance', id: 'one', expected: '1', actual: '2' };

/** A database with scripted answers. */
class Books {
  answer: LedgerCheckResult | Error | undefined;

  async step(): Promise<boolean> {
    if (this.answer instanceof Error) throw this.answer;
    return false;
  }

  async find(): Promise<LedgerCheckResult | undefined> {
    if (this.answer instanceof Error) throw this.answer;
    return this.answer;
  }
}

describe('F8: what is known of the ledger', () => {
  let books: Books;
  let checker: DriftChecker;
  beforeEach(() => {
    vi.useFakeTimers();
    books = new Books();
    checker = new DriftChecker(
      books as unknown as LedgerCheck,
      createLogger({ plane: 'test', level: 'silent' }),
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is nothing before the first check, whose age counts from the start', async () => {
    await checker.check();
    vi.advanceTimersByTime(MINUTE_MS);
    expect(checker.figures).toEqual({ rows: undefined, checkAgeSeconds: 60, roundAgeSeconds: 60 });
  });

  it('is forgotten when checks fail for minutes, and not shown as in order', async () => {
    books.answer = { rows: [], roundAgeSeconds: 100 };
    await checker.check();
    expect(checker.figures).toEqual({ rows: 0, checkAgeSeconds: 0, roundAgeSeconds: 100 });
    books.answer = new Error('canceling statement due to statement timeout');
    vi.advanceTimersByTime(6 * MINUTE_MS);
    await expect(checker.check()).rejects.toThrow(/timeout/);
    expect(checker.figures).toEqual({ rows: undefined, checkAgeSeconds: 360, roundAgeSeconds: 460 });
  });

  it('stays when it was a difference', async () => {
    books.answer = { rows: [WRONG], roundAgeSeconds: 0 };
    await checker.check();
    vi.advanceTimersByTime(6 * MINUTE_MS);
    expect(checker.figures.rows).toBe(1);
  });
});
