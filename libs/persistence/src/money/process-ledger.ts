import type { HoldOwner } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { queryWithLongTimeout } from '../query-with-long-timeout.js';

/** Which processes are alive: holds belong to an epoch of a process and end with it (decision 13). */
export class ProcessLedger {
  constructor(private readonly database: DataSource) {}

  /** Notes that a process lives; true when this is a new epoch of its instance. */
  async recordHeartbeat(owner: HoldOwner): Promise<boolean> {
    const [row] = await this.database.query<{ began: boolean | null }[]>(
      'select plane_heartbeat($1, $2) as began',
      [owner.instance, owner.epoch],
    );
    return row?.began === true;
  }

  /**
   * Ends the epochs of processes that were silent for so long; answers them. Only for a plane that would have received their heartbeats.
   */
  async endUnresponsiveOwners(silenceSeconds: number): Promise<HoldOwner[]> {
    return this.database.query<HoldOwner[]>(
      'select instance, epoch from end_silent_lives(make_interval(secs => $1))',
      [silenceSeconds],
    );
  }

  /** Forgets processes that ended more than a day ago: each replaced gateway leaves a name. What they owned ended with them. */
  async deleteEndedOwners(): Promise<void> {
    await this.database.query(`delete from plane_instance where ended_at < now() - interval '1 day'`);
  }

  /**
   * Logs the calls that ended processes were charged for and had not logged; answers their number. Each ended epoch is looked
   * at until it has been over for so long: what it wrote last may be posted late.
   */
  async logLostCalls(untilOverForSeconds: number): Promise<number> {
    const [ended] = await this.database.query<{ any: boolean }[]>(
      'select exists (select from ended_life) as any',
    );
    if (ended?.any !== true) return 0;
    // Both look through the holds of an hour.
    const [found] = await queryWithLongTimeout<{ count: string }>(
      this.database,
      'select coalesce(sum(explain_calls_of_life(instance, epoch)), 0) as count from ended_life',
    );
    const [last] = await queryWithLongTimeout<{ count: string }>(
      this.database,
      'select explain_ended_lives(make_interval(secs => $1)) as count',
      [untilOverForSeconds],
    );
    return Number(found?.count ?? 0) + Number(last?.count ?? 0);
  }
}
