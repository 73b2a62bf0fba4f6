import { seedPayer, type Payer, type StatementRunner } from './seed-payer.js';

const PAYERS = 50;
/** Nano-dollars. */
const OPENING_BALANCE = 1_000_000_000_000_000n;
const DAY_MS = 86_400_000;
/** The journal is emptied of what is charged: a seeded one is as full as it would be. */
const JOURNAL_DAYS = 7;

/** Lets the tables of an empty database look as if they had been cut into partitions before the first of the calls. */
const CUT_EARLIER = `
  do $$
  declare
    t partitioned_table%rowtype;
    part regclass;
  begin
    for t in select * from partitioned_table loop
      for part in select i.inhrelid::regclass from pg_inherits i where i.inhparent = t.name::regclass loop
        execute format('alter table %I detach partition %s', t.name, part);
        if part::text ~ '_p[0-9]{8}$' then
          execute format('drop table %s', part);
        end if;
      end loop;
      update partitioned_table p
        set begins_at = date_trunc(p.unit, now() - make_interval(days => current_setting('seed.days')::integer), 'UTC')
        where p.name = t.name returning p.* into t;
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', t.name, t.name || '_before',
        first_id_at(t.begins_at));
      execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', t.name, t.name || '_after',
        first_id_at(t.begins_at));
      perform add_partitions(t.name);
    end loop;
  end $$`;

/** A database in which what is done in `work` is one transaction. */
export interface TransactionRunner {
  transaction(work: (transaction: StatementRunner) => Promise<void>): Promise<void>;
}

export interface SeededCalls {
  readonly calls: number;
  /** The calls are spread evenly over so many days before today, in UTC. */
  readonly days: number;
  /** Told after each day. */
  readonly onDay?: (day: number) => void;
}

/**
 * The calls of one day, from which all their rows are made: payers take turns, each uses three of twenty models, every
 * fiftieth call failed, every hundredth is a video.
 */
const CALLS = `
  create temporary table call on commit drop as
  select n, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
      || '8' || lpad(to_hex(n), 15, '0'))::uuid as id,
    at, p.user_id, p.wallet_id, p.token_id, p.price_version_id, 'model-' || (p.place * 3 + n % 3) % 20 as model,
    'channel-' || (p.place * 3 + n % 3) % 5 as channel, 1000 + n % 1000 as charge, (n * 7 % 900)::integer as latency_ms,
    (n % 90)::integer as ttft_ms, case when n % 50 = 0 then 429 else 200 end as status, n % 100 = 7 as is_video
  from (
    select n, $3::timestamptz + (n - $1) * (interval '1 day' / ($2 - $1 + 1)) as at
      from generate_series($1::bigint, $2::bigint) as n
  ) as moment
  join unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[]) with ordinality
    as p(user_id, wallet_id, token_id, price_version_id, place) on p.place = 1 + (n * n) % ${PAYERS}`;

const ROWS = [
  `insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount, state, charged, usage,
     owner_instance, owner_epoch, created_at, expires_at, resolved_at)
   select id, case when is_video then 'video' else 'request' end, wallet_id, token_id, model, price_version_id, charge,
     'posted', charge, '{"input_tokens": 100, "output_tokens": 10}', 'seed', '1', at, at, at from call order by id`,
  `insert into request_log (request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, channel,
     status, error_code, stream, latency_ms, ttft_ms, usage, cost, estimated, reason, attempts, price_version_id)
   select id, at, user_id, token_id, 'seeded', wallet_id, model, '/v1/chat/completions', channel, status,
     case when status >= 400 then 'rate_limited' end, n % 2 = 0, latency_ms, ttft_ms,
     '{"input_tokens": 100, "output_tokens": 10}', charge, false, 'completed', '[]', price_version_id
   from call order by id`,
  `insert into entry (tx_id, account, wallet_id, token_id, task_id, amount, balance_after, request_id, kind, created_at)
   select c.id, leg.account, leg.wallet_id, leg.token_id, case when c.is_video then c.id end, leg.amount,
     leg.balance_after, c.id::text, 'charge', c.at
   from (
     select call.*, w.balance - sum(charge) over (partition by wallet_id order by n) as balance_after
       from call join wallet w on w.id = wallet_id
   ) as c cross join lateral (values
     ('wallet:' || c.wallet_id, c.wallet_id, c.token_id, -c.charge, c.balance_after),
     ('system:revenue', null, null, c.charge, null)) as leg(account, wallet_id, token_id, amount, balance_after)
   order by c.n`,
  `update wallet w set balance = w.balance - s.spent
     from (select wallet_id, sum(charge) as spent from call group by 1) s where w.id = s.wallet_id`,
  `update token t set used = t.used + s.spent
     from (select token_id, sum(charge) as spent from call group by 1) s where t.id = s.token_id`,
  `insert into task (id, public_id, face, user_id, token_id, wallet_id, model_slug, seconds, amount, charged,
     price_version_id, state, channel_name, created_at, submitted_at, finished_at, deadline_at)
   select id, 'seeded-' || id, 'generic', user_id, token_id, wallet_id, model, 5, charge, charge, price_version_id,
     'succeeded', channel, at, at, at, at from call where is_video`,
];

const JOURNAL = `
  insert into usage_journal (request_id, seq, phase, usage, created_at, posted_at)
  select id, 0, 'usage', '{"input_tokens": 100, "output_tokens": 10}', at, at from call order by id`;

const CELL = 'grain, at, user_id, token_id, model, channel';

function countTimes(time: 'latency' | 'ttft'): string {
  return `select ${CELL}, array_agg(class) as ${time}_class, array_agg(calls) as ${time}_calls from (
      select ${CELL}, usage_class(${time}_ms) as class, count(*)::integer as calls from fact group by ${CELL}, class
    ) as counted group by ${CELL}`;
}

/** What usage_fold makes of the calls of a day, whole days being apart from each other. */
const ROLLUPS = `
  with fact as materialized (
    select g.grain, date_trunc(g.grain, c.at, 'UTC') as at, c.user_id, c.token_id, c.model, c.channel, c.status, c.charge,
        c.latency_ms, c.ttft_ms
      from call c cross join (values ('hour'), ('day')) as g(grain)
  ), total as (
    select ${CELL}, count(*) as calls, count(*) filter (where status >= 400) as errors, 100 * count(*) as input_tokens,
        10 * count(*) as output_tokens, sum(charge) as cost from fact group by ${CELL}
  )
  insert into usage_cell
  select * from total left join (${countTimes('latency')}) as latency using (${CELL})
    left join (${countTimes('ttft')}) as ttft using (${CELL})`;

/**
 * Fills the tables that grow with every call as months of traffic would, day by day, on the server itself: holds, log,
 * ledger, journal, video tasks and rollups. The books agree afterwards. Triggers are off meanwhile, which takes a superuser.
 *
 * @returns those who paid.
 */
export async function seedCalls(
  database: StatementRunner & TransactionRunner,
  { calls, days, onDay }: SeededCalls,
): Promise<Payer[]> {
  const [log] = (await database.query('select exists (select from request_log) as used')) as {
    used: boolean;
  }[];
  if (log?.used === false) {
    await database.transaction(async (transaction) => {
      await transaction.query(`select set_config('seed.days', $1, true)`, [String(days)]);
      await transaction.query(CUT_EARLIER);
    });
  }
  const payers: Payer[] = [];
  while (payers.length < PAYERS) payers.push(await seedPayer(database, { balance: OPENING_BALANCE }));
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const ids = [
    payers.map(({ userId }) => userId),
    payers.map(({ walletId }) => walletId),
    payers.map(({ tokenId }) => tokenId),
    payers.map(({ priceVersionId }) => priceVersionId),
  ];
  for (let day = 1; day <= days; day += 1) {
    const [first, last] = [Math.floor((calls * (day - 1)) / days) + 1, Math.floor((calls * day) / days)];
    if (last >= first) {
      await database.transaction(async (transaction) => {
        await transaction.query(`set local session_replication_role = 'replica'`);
        await transaction.query('set local statement_timeout = 0');
        await transaction.query(CALLS, [first, last, new Date(today - (days - day + 1) * DAY_MS), ...ids]);
        await transaction.query('analyze call');
        for (const sql of ROWS) await transaction.query(sql);
        if (day > days - JOURNAL_DAYS) await transaction.query(JOURNAL);
        await transaction.query(ROLLUPS);
      });
    }
    onDay?.(day);
  }
  return payers;
}
