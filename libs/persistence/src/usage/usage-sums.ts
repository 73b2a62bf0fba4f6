import type { EntityManager } from 'typeorm';
import type { OwnerScope } from '../console/owner-scope.js';
import { type CallTimes, type CallTimesRow, toCallTimes } from './call-times.js';
import { FACTS_SQL, toFactParameters, type UsageQuestion } from './usage-facts.js';

export const USAGE_GROUPS = ['all', 'day', 'model', 'token', 'user', 'channel', 'project'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** What calls came to. Cost in nano-dollars, as the ledger charged it. */
export interface UsageTotals {
  readonly calls: number;
  readonly errors: number;
  /** Part of the errors: answers of 4xx. Errors that an earlier version summed are in neither part. */
  readonly clientErrors: number;
  /** Part of the errors: answers of 500 and above. */
  readonly serverErrors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the input; calls that an earlier version counted have none. */
  readonly cachedInputTokens: number;
  readonly cost: bigint;
  readonly times: CallTimes;
}

/** Sums over the calls of one key. */
export interface UsageSum extends UsageTotals {
  /**
   * "all", a day in UTC, a model's slug, a token's, user's or project's id, or a channel's name; empty for calls that reached
   * no channel, or are no project's.
   */
  readonly key: string;
  /** How people know the key: a token's or project's name, a user's e-mail address, otherwise the key itself. */
  readonly label: string;
}

export interface TotalsRow extends CallTimesRow {
  readonly calls: string | null;
  readonly errors: string | null;
  readonly client_errors: string | null;
  readonly server_errors: string | null;
  readonly input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly cached_input_tokens: string | null;
  readonly cost: string | null;
}

interface SumRow extends TotalsRow {
  readonly key: string;
  readonly label: string;
}

const KEY: Record<UsageGroup, string> = {
  all: `'all'`,
  day: `to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  model: 'model',
  token: 'token_id::text',
  user: 'user_id::text',
  channel: 'channel',
  project: `coalesce(project.id::text, '')`,
};

/** Where keys are found that a sum does not have by itself. */
const KEY_TABLES: Partial<Record<UsageGroup, string>> = {
  project:
    'left join token on token.id = fact.token_id left join project on project.wallet_id = token.wallet_id',
};

/** How people know a key, and where that stands. */
const LABELS: Partial<Record<UsageGroup, readonly [label: string, table: string]>> = {
  token: ['coalesce(token.name, key)', 'left join token on token.id::text = key'],
  user: ['coalesce(app_user.email, key)', 'left join app_user on app_user.id::text = key'],
  project: ['coalesce(project.name, key)', 'left join project on project.id::text = key'],
};

export const MOST_KEYS = 1_000;

/** Sums the calls of a time range by key: days in their order, everything else most expensive first. */
export async function sumUsage(
  manager: EntityManager,
  scope: OwnerScope,
  group: UsageGroup,
  question: UsageQuestion,
  limit = MOST_KEYS,
): Promise<UsageSum[]> {
  const [label, table] = LABELS[group] ?? ['key', ''];
  const rows: SumRow[] = await manager.query(
    `${sumFacts(KEY[group], KEY_TABLES[group])}
     select total.*, ${label} as label, times.class, times.latency, times.ttft
       from total left join times using (key) ${table}
      order by ${group === 'day' ? 'key' : 'cost desc, key'}
      limit $13`,
    [...toFactParameters(scope, question, { byHour: false }), limit],
  );
  return rows.map((row) => ({ key: row.key, label: row.label, ...toTotals(row) }));
}

/**
 * The begin of a question: `total` and `times` by a key. The text differs by key alone, and keys are constants of these
 * files.
 */
export function sumFacts(key: string, keyTables = ''): string {
  return `
    with fact as materialized (select ${key} as key, fact.* from (${FACTS_SQL}) as fact ${keyTables}),
    total as (
      select key, sum(calls) as calls, sum(errors) as errors,
             sum(client_errors) as client_errors, sum(server_errors) as server_errors,
             sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(cached_input_tokens) as cached_input_tokens, sum(cost) as cost
        from fact group by key
    ),
    counted as (
      select key, class, sum(latency)::integer as latency, sum(ttft)::integer as ttft from (
        select key, one.class, one.calls as latency, 0 as ttft
          from fact cross join lateral unnest(latency_class, latency_calls) as one(class, calls)
        union all
        select key, one.class, 0, one.calls
          from fact cross join lateral unnest(ttft_class, ttft_calls) as one(class, calls)
      ) as one_by_one
       where class is not null group by key, class
    ),
    times as (
      select key, array_agg(class order by class) as class, array_agg(latency order by class) as latency,
             array_agg(ttft order by class) as ttft
        from counted group by key
    )`;
}

export function toTotals(row: TotalsRow): UsageTotals {
  return {
    calls: Number(row.calls ?? 0),
    errors: Number(row.errors ?? 0),
    clientErrors: Number(row.client_errors ?? 0),
    serverErrors: Number(row.server_errors ?? 0),
    inputTokens: Number(row.input_tokens ?? 0),
    outputTokens: Number(row.output_tokens ?? 0),
    cachedInputTokens: Number(row.cached_input_tokens ?? 0),
    cost: BigInt(row.cost ?? 0),
    times: toCallTimes(row),
  };
}
