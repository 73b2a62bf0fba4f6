/** Calls by class, the old and the new together. `u` is the row that is there. */
function mergeTimes(time: 'latency' | 'ttft'): string {
  return `(${time}_class, ${time}_calls) = (
        select array_agg(class), array_agg(calls) from (
          select class, sum(calls)::integer as calls from (
            select * from unnest(u.${time}_class, u.${time}_calls) as here(class, calls)
            union all select * from unnest(excluded.${time}_class, excluded.${time}_calls) as more(class, calls)
          ) as both_times group by class
        ) as merged)`;
}

/** How many calls of each cell fell into each class. */
function countTimes(time: 'latency' | 'ttft'): string {
  return `select grain, at, user_id, token_id, model, channel, array_agg(class) as ${time}_class, array_agg(calls) as ${time}_calls
      from (
        select grain, at, user_id, token_id, model, channel, usage_class(${time}_ms) as class, count(*)::integer as calls
          from change where ${time}_ms is not null group by 1, 2, 3, 4, 5, 6, 7
      ) as counted group by 1, 2, 3, 4, 5, 6`;
}

const CELL = 'grain, at, user_id, token_id, model, channel';

/** Moves what waits into the sums, as before, with errors by their class, which the row of the call tells. */
export const CLASSED_FOLD = /* sql */ `
-- Adds the oldest changes to the sums and takes them away, in one transaction: each counts once. Answers how many. One at
-- a time. What was charged for a call that nobody ever logged is left out after a day.
create or replace function usage_fold(p_limit integer) returns integer
language plpgsql security definer as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(7204004) then
    return 0;
  end if;
  delete from usage_change c where c.created_at < now() - interval '1 day'
    and not exists (select from request_log l where l.request_id = c.request_id);
  with ready as (
    select c.id from usage_change c where exists (select from request_log l where l.request_id = c.request_id)
      order by c.id limit p_limit
  ), taken as (
    delete from usage_change c using ready r where c.id = r.id returning c.*
  ), change as materialized (
    select g.grain, date_trunc(g.grain, l.created_at, 'UTC') as at, l.user_id, l.token_id, l.model,
      coalesce(l.channel, '') as channel, t.calls, t.errors, t.input_tokens, t.output_tokens, t.cost, t.latency_ms, t.ttft_ms,
      t.cached_input_tokens, case when l.status < 500 then t.errors else 0 end as client_errors,
      case when l.status >= 500 then t.errors else 0 end as server_errors
    from taken t join request_log l on l.request_id = t.request_id cross join (values ('hour'), ('day')) as g(grain)
  ), total as (
    select ${CELL}, sum(calls) as calls, sum(errors) as errors, sum(input_tokens) as input_tokens,
      sum(output_tokens) as output_tokens, sum(cost) as cost,
      sum(cached_input_tokens) as cached_input_tokens, sum(client_errors) as client_errors,
      sum(server_errors) as server_errors
    from change group by 1, 2, 3, 4, 5, 6
  ), latency as (
    ${countTimes('latency')}
  ), ttft as (
    ${countTimes('ttft')}
  ), added as (
    insert into usage_cell as u (${CELL}, calls, errors, input_tokens, output_tokens, cost, cached_input_tokens,
      client_errors, server_errors, latency_class, latency_calls, ttft_class, ttft_calls)
    select * from total left join latency using (${CELL}) left join ttft using (${CELL})
    on conflict (${CELL}) do update set
      calls = u.calls + excluded.calls, errors = u.errors + excluded.errors,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
      cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      cost = u.cost + excluded.cost,
      ${mergeTimes('latency')},
      ${mergeTimes('ttft')}
  )
  select count(*) into folded from taken;
  return folded;
end $$;
`;
