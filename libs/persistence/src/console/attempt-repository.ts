import type { EntityManager } from 'typeorm';

/** How many attempts a key has within a window that begins with its first. */
export interface AttemptWindow {
  readonly attempts: number;
  readonly seconds: number;
}

/** How long the first attempt waits that is not free any more. */
const FIRST_WAIT_SECONDS = 10;

/**
 * The first `$2` attempts of a window of `$3` seconds are free. From then on the n-th further one has to wait until
 * 10 (2^n - 1) seconds after the window's begin: 10, 30, 70, ..., so that each waits twice as long as the one before.
 */
const BEGIN = 'a.window_ends_at - make_interval(secs => $3)';
const EARLIEST = `${BEGIN} + make_interval(secs => ${FIRST_WAIT_SECONDS} * (power(2, a.count - $2 + 1) - 1))`;

const COUNT_WITH_BACKOFF = `
  insert into console_attempt as a (key, count, window_ends_at)
  values ($1, 1, now() + make_interval(secs => $3))
  on conflict (key) do update set
    count = case when a.window_ends_at <= now() then 1 else a.count + 1 end,
    window_ends_at = case when a.window_ends_at <= now() then excluded.window_ends_at else a.window_ends_at end
  where a.window_ends_at <= now() or a.count < $2 or now() >= ${EARLIEST}
  returning 1 as counted`;

const SECONDS_TO_WAIT = `
  select greatest(1, ceil(extract(epoch from least(a.window_ends_at, ${EARLIEST}) - now())))::integer as wait
    from console_attempt a where a.key = $1`;

/** Attempts at something that is guessed, by hashed key, shared by every console. */
export class AttemptRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Counts an attempt. Answers the seconds to wait when its key has none left in this window, otherwise `undefined`. */
  async count(key: string, window: AttemptWindow): Promise<number | undefined> {
    const [row] = await this.manager.query<{ wait: number | null }[]>(
      'select console_attempt_count($1, $2, $3) as wait',
      [key, window.attempts, window.seconds],
    );
    return row?.wait ?? undefined;
  }

  /**
   * Counts an attempt, unless it comes too early: after the free attempts, each waits twice as long as the one before. Answers
   * the seconds to wait then, otherwise `undefined`.
   */
  async countWithBackoff(key: string, free: AttemptWindow): Promise<number | undefined> {
    const values = [key, free.attempts, free.seconds];
    const counted = await this.manager.query<unknown[]>(COUNT_WITH_BACKOFF, values);
    if (counted.length > 0) return undefined;
    const [row] = await this.manager.query<{ wait: number }[]>(SECONDS_TO_WAIT, values);
    return row?.wait ?? 1;
  }

  /** Takes back an attempt that succeeded. */
  async giveBack(key: string): Promise<void> {
    await this.manager.query('update console_attempt set count = count - 1 where key = $1 and count > 0', [
      key,
    ]);
  }

  /** Forgets all attempts of a key. */
  async forget(key: string): Promise<void> {
    await this.manager.query('delete from console_attempt where key = $1', [key]);
  }
}
