/**
 * Whatever moves usage says by how much, in its own transaction: rows of the log what was called, entries what was
 * charged. Calls without a hold are never in the ledger and tell their cost themselves.
 *
 * Run as their owner, so that a gateway, which may only append to the log, needs no right to the sums.
 */
export const USAGE_CHANGES = /* sql */ `
create function usage_of_new_calls() returns trigger language plpgsql security definer as $$
begin
  insert into usage_change (request_id, calls, errors, input_tokens, output_tokens, cost, latency_ms, ttft_ms)
  select n.request_id, 1, (n.status >= 400)::integer,
    coalesce((n.usage ->> 'input_tokens')::bigint, 0), coalesce((n.usage ->> 'output_tokens')::bigint, 0),
    case when exists (select from hold h where h.id = n.request_id) then 0 else n.cost end, n.latency_ms, n.ttft_ms
  from new_rows n;
  return null;
end $$;

-- What a lost call used may be learnt later.
create function usage_of_changed_calls() returns trigger language plpgsql security definer as $$
begin
  insert into usage_change (request_id, input_tokens, output_tokens)
  select n.request_id,
    coalesce((n.usage ->> 'input_tokens')::bigint, 0) - coalesce((o.usage ->> 'input_tokens')::bigint, 0),
    coalesce((n.usage ->> 'output_tokens')::bigint, 0) - coalesce((o.usage ->> 'output_tokens')::bigint, 0)
  from new_rows n join old_rows o on o.request_id = n.request_id where n.usage <> o.usage;
  return null;
end $$;

create function usage_of_money() returns trigger language plpgsql security definer as $$
begin
  insert into usage_change (request_id, cost)
  select n.request_id::uuid, -sum(n.amount) from new_rows n
    where n.wallet_id is not null and n.kind not in ('topup', 'adjust') group by n.request_id;
  return null;
end $$;

create trigger request_log_counted after insert on request_log referencing new table as new_rows
  for each statement execute function usage_of_new_calls();
create trigger request_log_recounted after update on request_log referencing old table as old_rows new table as new_rows
  for each statement execute function usage_of_changed_calls();
create trigger entry_counted after insert on entry referencing new table as new_rows
  for each statement execute function usage_of_money();
`;
