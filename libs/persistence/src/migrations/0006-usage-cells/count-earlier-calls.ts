/**
 * Calls and charges from before the sums were kept wait to be added like new ones. The triggers that were just made keep
 * writers out until all is in.
 */
export const COUNT_EARLIER_CALLS = /* sql */ `
insert into usage_change (request_id, calls, errors, input_tokens, output_tokens, cost, latency_ms, ttft_ms)
select l.request_id, 1, (l.status >= 400)::integer,
  coalesce((l.usage ->> 'input_tokens')::bigint, 0), coalesce((l.usage ->> 'output_tokens')::bigint, 0),
  case when h.id is null then l.cost else 0 end, l.latency_ms, l.ttft_ms
from request_log l left join hold h on h.id = l.request_id;

insert into usage_change (request_id, cost)
select e.request_id::uuid, -sum(e.amount) from entry e
  where e.wallet_id is not null and e.kind not in ('topup', 'adjust') group by e.request_id;
`;
