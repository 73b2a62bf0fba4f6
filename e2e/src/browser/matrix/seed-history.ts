import { Client } from 'pg';
import { waitUntil } from '../../wait-until.js';

const SUMMED_WITHIN_MS = 60_000;

/**
 * Each sum of today again on the days before, more on some than on others. Hours and days are repeated alike: what is summed up of
 * hours and what is summed up of days stay the same.
 */
const REPEAT = `
  insert into usage_cell
  select (jsonb_populate_record(cell, jsonb_build_object(
    'at', cell.at - n * interval '1 day',
    'calls', cell.calls * (1 + n * 7 % 5), 'cost', cell.cost * (1 + n * 7 % 5), 'errors', cell.errors * (1 + n * 7 % 5),
    'client_errors', cell.client_errors * (1 + n * 7 % 5), 'server_errors', cell.server_errors * (1 + n * 7 % 5)))).*
  from usage_cell cell, generate_series(1, 40) as n
  on conflict do nothing`;

/** An alert of each kind and level, open and resolved, delivered, waiting and given up. */
const ALERTS = `
  with subject as (
    select (select id from wallet order by id limit 1) as wallet, (select id from token order by id limit 1) as token),
  told as (
    insert into alert (id, kind, subject, level, facts, fired_at, resolved_at)
    -- Lists are in the order of ids, which begin with the time, as UUIDs of version 7 do.
    select (lpad(to_hex((extract(epoch from now() - ago) * 1000)::bigint), 12, '0')
             || overlay(overlay(right(md5(random()::text), 20) placing '7' from 1) placing '8' from 5))::uuid,
           kind, name, level, facts::jsonb, now() - ago, now() - ago + lasted
    from subject, lateral (values
      ('budget', token || '/month', 'near', interval '2 hours', null::interval,
       '{"name": "production-backend-of-the-customer-support-assistant", "of": "token", "period": "month", "amount": "1000000000000", "spent": "812345678901", "ends_at": "2026-12-01T00:00:00.000Z"}'),
      ('budget', wallet || '/day', 'reached', interval '3 days', interval '9 hours',
       '{"name": "Research and Development of the Northern Subsidiary", "of": "wallet", "period": "day", "amount": "5000000000", "spent": "5000000125", "ends_at": "2026-12-01T00:00:00.000Z"}'),
      ('wallet_balance', 'of old', 'firing', interval '4 days', interval '5 minutes',
       '{"name": "研发部预付费钱包", "balance": "-125", "credit_limit": "0", "below": "1000000000"}'),
      ('ledger_drift', 'ledger', 'firing', interval '20 minutes', interval '4 minutes', '{"name": "ledger", "figures": 3}'),
      ('queue_age', 'usage', 'firing', interval '15 minutes', interval '6 minutes',
       '{"name": "usage", "waiting": 12345, "oldest_seconds": 678, "limit_seconds": 60}'),
      ('queue_age', 'video tasks', 'firing', interval '1 minute', interval '20 seconds',
       '{"name": "video tasks", "waiting": 2, "oldest_seconds": 61, "limit_seconds": 60}')
    ) as alert (kind, name, level, ago, lasted, facts)
    returning id, kind)
  insert into alert_delivery (id, alert_id, event, via, message, attempts, next_attempt_at, delivered_at, last_error)
  select gen_random_uuid(), told.id, 'fired', via, '{}', attempts, null, delivered_at, last_error
  from told, (values
    ('webhook', 8, null::timestamptz, 'the receiver answered with status 502'),
    ('email', 1, now(), null)
  ) as delivery (via, attempts, delivered_at, last_error)
  where told.kind <> 'wallet_balance'`;

/** Lets the overview show weeks of calls, once the sums of those that were made are there, and the alerts one of each kind. */
export async function seedHistory(databaseUrl: string, calls: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const count = async () => {
      const { rows } = await client.query<{ calls: string }>(
        `select coalesce(sum(calls), 0) as calls from usage_cell where grain = 'day'`,
      );
      return Number(rows[0]?.calls);
    };
    await waitUntil('the sums of all calls', async () => (await count()) >= calls, SUMMED_WITHIN_MS);
    await client.query(REPEAT);
    await client.query(ALERTS);
  } finally {
    await client.end();
  }
}
