/** A hold with less than this left is renewed: many heartbeats may fail before it runs out. */
const RENEW_BEFORE_MS = 2 * 60 * 1_000;

/**
 * Calls in flight, and until when their holds stand. A hold is made for the longest time that the configuration allowed when
 * the call began; whatever makes a call last longer, its money is not lent to another while it lives.
 */
export class HeldCalls {
  /** Moment of the monotonic clock, by request id: never later than the hold's deadline on Postgres's clock. */
  readonly #deadlines = new Map<string, number>();

  /** A call has begun, whose hold was asked for at this moment for so long. */
  begin(requestId: string, askedMs: number, ttlSeconds: number): void {
    this.#deadlines.set(requestId, askedMs + ttlSeconds * 1_000);
  }

  end(requestId: string): void {
    this.#deadlines.delete(requestId);
  }

  /** Ids of calls whose holds run out soon, those first that do so first; at most so many. */
  listDue(limit: number): string[] {
    const dueBefore = performance.now() + RENEW_BEFORE_MS;
    return [...this.#deadlines]
      .filter(([, deadline]) => deadline < dueBefore)
      .sort(([, left], [, right]) => left - right)
      .slice(0, limit)
      .map(([requestId]) => requestId);
  }

  /** Billing has renewed these holds, asked at this moment; calls that have ended meanwhile stay ended. */
  noteRenewed(requestIds: readonly string[], askedMs: number, ttlSeconds: number): void {
    for (const requestId of requestIds) {
      if (this.#deadlines.has(requestId)) this.begin(requestId, askedMs, ttlSeconds);
    }
  }
}
