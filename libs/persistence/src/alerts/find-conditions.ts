import type { EntityManager } from 'typeorm';
import type { AlertFacts, AlertKind, AlertLevel } from '../entities/alert.js';

/** A condition that operators may want an alert for, as it is at this moment. */
export interface AlertCondition {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly level: AlertLevel;
  readonly facts: AlertFacts;
}

/** Conditions of one kind that hold, and subjects of which nothing is known at the moment: their alerts stay as they are. */
export interface FoundConditions {
  readonly conditions: readonly AlertCondition[];
  readonly unknown: readonly string[];
}

/** The window, in minutes, whose attempts decide whether a channel fails. */
const WINDOW_MINUTES = 10;
const MOST_CALLS_READ = 5_000;
/** More of one kind are not alerted at once; those that have an open alert come first. */
const MOST_CONDITIONS = 200;
/** Reports older than this come from processes that are gone. */
const SILENT_SECONDS = 15;
/** Calls may be logged later than their ids say. */
const LATE_IDS_MS = 60 * 60_000;

/** Statuses by which a provider refuses our account or our pace, not the caller's request. */
const OURS = '401, 402, 403, 404, 408, 429';

interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly served: number;
  readonly failed: number;
  readonly last: { readonly status: number | null; readonly reason: string } | null;
}

/**
 * Channels of which at least so many attempts failed in the last minutes, and more than were served. One without calls
 * in that time is unknown.
 */
export async function findFailingChannels(
  manager: EntityManager,
  leastFailed: number,
): Promise<FoundConditions> {
  const rows = await manager.query<ChannelRow[]>(
    `with attempt as (
       select call.created_at as at, a->>'channel' as channel, (a->>'status')::integer as status,
              a->>'reason' as reason, a->>'outcome' = 'served' as served,
              a->>'outcome' = 'failed' and a->>'reason' not like 'not asked:%'
                and (a->>'status' is null or (a->>'status')::integer >= 500
                     or (a->>'status')::integer in (${OURS})) as failed
         from (select created_at, attempts from request_log
                where request_id >= $1 and created_at >= now() - make_interval(mins => $2)
                order by request_id desc limit $3) as call,
              jsonb_array_elements(call.attempts) as a
     )
     select c.id, c.name, count(*) filter (where t.served)::integer as served,
            count(*) filter (where t.failed)::integer as failed,
            (array_agg(jsonb_build_object('status', t.status, 'reason', t.reason) order by t.at desc)
              filter (where t.failed))[1] as last
       from channel c left join attempt t on t.channel = c.name
      where c.enabled group by c.id, c.name`,
    [firstIdSince(Date.now() - WINDOW_MINUTES * 60_000 - LATE_IDS_MS), WINDOW_MINUTES, MOST_CALLS_READ],
  );
  const failing = rows.filter(({ served, failed }) => failed >= leastFailed && failed > served);
  return {
    conditions: failing.map(({ id, name, served, failed, last }) => ({
      kind: 'channel_failing',
      subject: id,
      level: 'firing',
      facts: { name, served, failed, status: last?.status ?? null, reason: last?.reason ?? null },
    })),
    unknown: rows.filter(({ served, failed }) => served + failed === 0).map(({ id }) => id),
  };
}

/** Amounts in nano-dollars. */
interface EmptyWalletRow {
  readonly id: string;
  readonly name: string;
  readonly balance: string;
  readonly credit_limit: string;
  readonly below: string;
}

/**
 * Wallets that keys have spent from and that have less than so much left, their credit included.
 *
 * @param below nano-dollars; of wallets that have no threshold of their own.
 */
export async function findEmptyWallets(manager: EntityManager, below: bigint): Promise<FoundConditions> {
  const rows = await manager.query<EmptyWalletRow[]>(
    `select w.id, w.name, w.balance, w.credit_limit, coalesce(w.alert_below, $1) as below from wallet w
      where w.balance + w.credit_limit < coalesce(w.alert_below, $1)
        and exists (select from token t where t.wallet_id = w.id and t.used > 0 and t.deleted_at is null)
      order by exists (select from alert a
                        where a.kind = 'wallet_balance' and a.subject = w.id::text and a.resolved_at is null) desc, w.id
      limit $2`,
    [below.toString(), MOST_CONDITIONS],
  );
  return {
    conditions: rows.map(({ id, name, balance, credit_limit: creditLimit, below: threshold }) => ({
      kind: 'wallet_balance',
      subject: id,
      level: 'firing',
      facts: { name, balance, credit_limit: creditLimit, below: threshold },
    })),
    unknown: [],
  };
}

interface ReachedBudgetRow {
  readonly subject: string;
  readonly subject_id: string;
  readonly period: string;
  readonly reached: number;
  readonly amount: string;
  readonly spent: string;
  readonly ends_at: Date;
  readonly name: string | null;
}

/** Budgets of whose current period 80 or 100 per cent are reached. */
export async function findReachedBudgets(manager: EntityManager): Promise<FoundConditions> {
  const rows = await manager.query<ReachedBudgetRow[]>(
    `select b.subject, b.subject_id, b.period, b.reached, b.amount, b.spent, b.ends_at,
            coalesce(t.name, w.name, u.email) as name
       from budget b
       left join token t on b.subject = 'token' and t.id = b.subject_id
       left join wallet w on b.subject = 'wallet' and w.id = b.subject_id
       left join app_user u on b.subject = 'user' and u.id = b.subject_id
      where b.reached >= 80 and b.ends_at > now()
      order by exists (select from alert a where a.kind = 'budget' and a.resolved_at is null
                         and a.subject = b.subject_id || '/' || b.period) desc, b.reached desc, b.subject_id, b.period
      limit $1`,
    [MOST_CONDITIONS],
  );
  return {
    conditions: rows.map((row) => ({
      kind: 'budget',
      subject: `${row.subject_id}/${row.period}`,
      level: row.reached >= 100 ? 'reached' : 'near',
      facts: {
        name: row.name ?? row.subject_id,
        of: row.subject,
        period: row.period,
        amount: row.amount,
        spent: row.spent,
        ends_at: row.ends_at.toISOString(),
      },
    })),
    unknown: [],
  };
}

/** Whether billing finds figures that are not the sums of their rows; unknown while no billing reports. */
export async function findLedgerDrift(manager: EntityManager): Promise<FoundConditions> {
  const [row] = await manager.query<{ rows: number | null }[]>(
    `select max((details->>'drift_rows')::integer) as rows from plane_report
      where plane = 'billing' and seen_at > now() - make_interval(secs => $1)`,
    [SILENT_SECONDS],
  );
  const figures = row?.rows ?? undefined;
  if (figures === undefined) return { conditions: [], unknown: ['ledger'] };
  if (figures === 0) return { conditions: [], unknown: [] };
  return {
    conditions: [
      { kind: 'ledger_drift', subject: 'ledger', level: 'firing', facts: { name: 'ledger', figures } },
    ],
    unknown: [],
  };
}

/** Usage that is not charged, and video tasks that no worker has taken, for longer than so many seconds. */
export async function findOldQueues(manager: EntityManager, seconds: number): Promise<FoundConditions> {
  const rows = await manager.query<{ name: string; waiting: number; oldest: number | null }[]>(
    `select 'usage' as name, count(*)::integer as waiting,
            extract(epoch from now() - min(created_at))::integer as oldest
       from usage_journal where posted_at is null
     union all
     select 'video tasks', count(*)::integer, extract(epoch from now() - min(created_at))::integer
       from task where state = 'created'`,
  );
  return {
    conditions: rows
      .filter(({ oldest }) => (oldest ?? 0) > seconds)
      .map(({ name, waiting, oldest }) => ({
        kind: 'queue_age',
        subject: name,
        level: 'firing',
        facts: { name, waiting, oldest_seconds: oldest, limit_seconds: seconds },
      })),
    unknown: [],
  };
}

/** The smallest id that a request of this moment can have. */
function firstIdSince(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
