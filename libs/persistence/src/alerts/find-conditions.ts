import type { EntityManager } from 'typeorm';
import { SPAN_SECONDS } from '../attempts/write-attempts.js';
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

/** The window whose attempts decide whether a channel fails. */
const WINDOW_SECONDS = 600;
/** More of one kind are not alerted at once; those that have an open alert come first. */
const MOST_CONDITIONS = 200;
/** Reports older than this come from processes that are gone. */
const SILENT_SECONDS = 15;
interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly served: number;
  readonly failed: number;
  /** Whether more failed than were served. */
  readonly is_failing: boolean;
  readonly status: number | null;
  readonly reason: string | null;
}

/**
 * Channels of which at least so many attempts failed in the last minutes, and more than were served. A channel is well again once it
 * has served no less than failed: of one that was hardly asked since, as happens to those that are left out, nothing is known.
 *
 * Figures are kept by spans; of the span in which the window begins counts the share that lies within. So at most two rows are
 * read for each channel, model and key.
 */
export async function findFailingChannels(
  manager: EntityManager,
  leastFailed: number,
): Promise<FoundConditions> {
  const rows = await manager.query<ChannelRow[]>(
    `with recent as (
       select f.*, least(1, extract(epoch from f.starts_at - now()) / $2::integer + 1 + $1::numeric / $2::integer) as share
         from attempt_figures f where f.starts_at > now() - make_interval(secs => $1 + $2)
     )
     select c.id, c.name, ceil(coalesce(sum(r.served * r.share), 0))::float8 as served,
            ceil(coalesce(sum(r.failed * r.share), 0))::float8 as failed,
            coalesce(sum(r.failed * r.share) > sum(r.served * r.share), false) as is_failing,
            (array_agg(r.failed_status order by r.failed_at desc nulls last))[1] as status,
            (array_agg(r.failed_reason order by r.failed_at desc nulls last))[1] as reason
       from channel c left join recent r on r.channel_id = c.id
      where c.enabled group by c.id, c.name`,
    [WINDOW_SECONDS, SPAN_SECONDS],
  );
  const isFiring = ({ failed, is_failing: isFailing }: ChannelRow) => isFailing && failed >= leastFailed;
  const isWell = ({ served, is_failing: isFailing }: ChannelRow) => !isFailing && served > 0;
  return {
    conditions: rows.filter(isFiring).map(({ id, name, served, failed, status, reason }) => ({
      kind: 'channel_failing',
      subject: id,
      level: 'firing',
      facts: { name, served, failed, status, reason },
    })),
    unknown: rows.filter((row) => !isFiring(row) && !isWell(row)).map(({ id }) => id),
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

/**
 * Usage that is not charged, and video tasks that are due and that no worker has taken, for longer than so many seconds. A task that
 * waits for a channel's rates is not due.
 */
export async function findOldQueues(manager: EntityManager, seconds: number): Promise<FoundConditions> {
  const rows = await manager.query<{ name: string; waiting: number; oldest: number | null }[]>(
    `select 'usage' as name, count(*)::integer as waiting,
            extract(epoch from now() - min(created_at))::integer as oldest
       from usage_journal where posted_at is null
     union all
     select 'video tasks', count(*)::integer, extract(epoch from now() - min(next_run_at))::integer
       from task where state = 'created' and next_run_at <= now()`,
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
