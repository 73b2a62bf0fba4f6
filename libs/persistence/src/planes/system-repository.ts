import type { EntityManager } from 'typeorm';
import type { PlaneDetails } from './plane-reports.js';

/** Reports older than this come from processes that are gone. */
const SILENT_SECONDS = 15;
/** After this they are not shown any more. */
const FORGOTTEN_AFTER = '1 day';

export interface SeenPlane {
  readonly plane: string;
  readonly instance: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly alive: boolean;
  readonly details: PlaneDetails;
}

/** Holds open of a kind. Amount in nano-dollars. */
export interface OpenHolds {
  readonly kind: 'call' | 'video';
  readonly count: number;
  readonly amount: bigint;
  readonly oldestSeconds: number;
}

/** Things that wait, and for how long the oldest has. */
export interface Backlog {
  readonly count: number;
  readonly oldestSeconds: number;
}

interface BacklogRow {
  readonly count: string;
  readonly oldest: string;
}

/** What goes on in the whole system, as the database sees it. Each question reads what is open, by an index. */
export class SystemRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Processes that reported lately, those that fell silent included. */
  async listPlanes(): Promise<SeenPlane[]> {
    return this.manager.query<SeenPlane[]>(
      `select plane, instance, version, started_at as "startedAt", seen_at as "seenAt", details,
              seen_at > now() - make_interval(secs => $1) as alive
         from plane_report where seen_at > now() - $2::interval order by plane, instance`,
      [SILENT_SECONDS, FORGOTTEN_AFTER],
    );
  }

  async totalOpenHolds(): Promise<OpenHolds[]> {
    const rows = await this.manager.query<({ kind: 'call' | 'video'; amount: string } & BacklogRow)[]>(
      `select kinds.kind, count(hold.id) as count, coalesce(sum(hold.amount), 0) as amount,
              coalesce(extract(epoch from now() - min(hold.created_at)), 0) as oldest
         from (values ('call'), ('video')) as kinds(kind)
         left join hold on hold.state = 'open' and (hold.kind = 'video') = (kinds.kind = 'video')
        group by kinds.kind order by kinds.kind`,
    );
    return rows.map((row) => ({ kind: row.kind, amount: BigInt(row.amount), ...toBacklog(row) }));
  }

  /** Usage that gateways wrote and billing has not charged yet. */
  async findJournalBacklog(): Promise<Backlog> {
    const [row] = await this.manager.query<BacklogRow[]>(
      `select count(*) as count, coalesce(extract(epoch from now() - min(created_at)), 0) as oldest
         from usage_journal where posted_at is null`,
    );
    return toBacklog(row);
  }

  /** Calls back to owners of tasks that are still to be made. */
  async findWebhookBacklog(): Promise<Backlog> {
    const [row] = await this.manager.query<BacklogRow[]>(
      `select count(*) as count, coalesce(extract(epoch from now() - min(created_at)), 0) as oldest
         from webhook_delivery where next_attempt_at is not null`,
    );
    return toBacklog(row);
  }

  /** Video tasks that have not ended, by state. */
  async countOpenTasks(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.manager.query<{ state: string; count: string }[]>(
      `select state, count(*) as count from task
        where state not in ('succeeded', 'failed', 'expired', 'cancelled') group by state order by state`,
    );
    return new Map(rows.map((row) => [row.state, Number(row.count)]));
  }
}

function toBacklog(row: BacklogRow | undefined): Backlog {
  return { count: Number(row?.count ?? 0), oldestSeconds: Math.round(Number(row?.oldest ?? 0)) };
}
