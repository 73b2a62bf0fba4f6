import { type OwnerScope, projectWalletsOf } from '../console/owner-scope.js';
import { endOfHour, splitTimeRange } from './split-time-range.js';

/** Which calls are summed up. */
export interface UsageQuestion {
  readonly from: Date;
  /** Calls before this moment. */
  readonly to: Date;
  readonly model?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly channel?: string | undefined;
  /** Wallet of a project: its calls alone. */
  readonly projectWalletId?: string | undefined;
}

/** "Until now" has passed by the time that it is answered. */
const ASKED_WITHIN_MS = 1_000;

const SUMS =
  'calls, errors, client_errors, server_errors, input_tokens, output_tokens, cached_input_tokens, cost, latency_class, latency_calls, ttft_class, ttft_calls';

/** The times of one call, as counts of one. */
function timesOf(row: string): string {
  return `case when ${row}.latency_ms is not null then array[usage_class(${row}.latency_ms)] end as latency_class,
    array[1] as latency_calls,
    case when ${row}.ttft_ms is not null then array[usage_class(${row}.ttft_ms)] end as ttft_class,
    array[1] as ttft_calls`;
}

/**
 * What the ledger charged for a call, read by the key of its entries. A call without entries costs nothing if it had a
 * hold, and otherwise what it says itself. Subqueries and not joins, since what is read must grow with the calls of this
 * hour alone: a join may read every hold there is.
 */
const COST_OF_ONE_CALL = `coalesce(
      (select -sum(entry.amount) from entry
        where entry.request_id = call.request_id::text and entry.wallet_id is not null),
      case when (select true from hold where hold.id = call.request_id) then 0 else call.cost end)`;

/** Errors of calls by their class. @param errors of the call: 1 or 0, or what a change of it adds. */
function classesOf(errors: string): string {
  return `case when call.status < 500 then ${errors} else 0 end as client_errors,
    case when call.status >= 500 then ${errors} else 0 end as server_errors`;
}

const ERRORS_OF_ONE_CALL = '(call.status >= 400)::integer';

/** A call by itself, as a sum of one. */
const OF_ONE_CALL = `1 as calls, ${ERRORS_OF_ONE_CALL} as errors,
    ${classesOf(ERRORS_OF_ONE_CALL)},
    coalesce((call.usage->>'input_tokens')::bigint, 0) as input_tokens,
    coalesce((call.usage->>'output_tokens')::bigint, 0) as output_tokens,
    coalesce((call.usage->>'cached_input_tokens')::bigint, 0) as cached_input_tokens,
    ${COST_OF_ONE_CALL} as cost,
    ${timesOf('call')}`;

const OF_CALL = `call.created_at, call.user_id, call.token_id, call.model, coalesce(call.channel, '') as channel`;

/**
 * Usage of calls: from the rollups, from changes that are not in them yet, and from single calls where a range
 * begins or ends within an hour. Parameters 1 to 12 are those of `toFactParameters`; all of it is one snapshot.
 */
export const FACTS_SQL = `
  select * from (
    select at, user_id, token_id, model, channel, ${SUMS} from usage_cell
     where grain = 'day' and at >= $3 and at < $4
    union all
    select at, user_id, token_id, model, channel, ${SUMS} from usage_cell
     where grain = 'hour' and (at >= $2 and at < $3 or at >= $4 and at < $5)
    union all
    select ${OF_CALL}, change.calls, change.errors,
           ${classesOf('change.errors')}, change.input_tokens, change.output_tokens,
           change.cached_input_tokens, change.cost,
           ${timesOf('change')}
      from usage_change as change join request_log as call on call.request_id = change.request_id
     where call.created_at >= $2 and call.created_at < $5
    union all
    select ${OF_CALL}, ${OF_ONE_CALL} from request_log as call
     where call.created_at >= $1 and call.created_at < $2
    union all
    select ${OF_CALL}, ${OF_ONE_CALL} from request_log as call
     where call.created_at >= $5 and call.created_at < $6
  ) as fact
   where ($7::uuid is null or user_id = $7::uuid
          or token_id in (select t.id from token t where t.wallet_id = any($11::uuid[])))
     and ($12::uuid is null or token_id in (select t.id from token t where t.wallet_id = $12)) and ($8::uuid is null or token_id = $8::uuid)
     and ($9::text is null or model = $9) and ($10::text is null or channel = $10)`;

export function toFactParameters(
  scope: OwnerScope,
  { from, to, model, tokenId, channel, projectWalletId }: UsageQuestion,
  options: { byHour: boolean },
): unknown[] {
  // The current hour has a rollup like every other: there is nothing after now to leave out of it.
  const end = to.getTime() > Date.now() - ASKED_WITHIN_MS ? endOfHour(to) : to;
  const range = splitTimeRange(from, end, options);
  const { hoursFrom, daysFrom, daysTo, hoursTo } = range;
  return [
    range.from,
    hoursFrom,
    daysFrom,
    daysTo,
    hoursTo,
    range.to,
    scope.kind === 'user' ? scope.userId : null,
    tokenId ?? null,
    model ?? null,
    channel ?? null,
    projectWalletsOf(scope).whole,
    projectWalletId ?? null,
  ];
}
