/** What our own retries, broken streams and lost calls cost us upstream, as an estimate. No wallet pays it. */
export const WASTE = /* sql */ `
-- The attempts of a call that an upstream may bill us for and that nobody pays; of rows that end a call.
alter table usage_journal add column waste jsonb;

-- One row for each such attempt, counted as in the log from 0; -1 is a call whose gateway was lost, and its channel is
-- not known: ''. The amount in nano-dollars is an estimate at the model's own price.
create table waste (
  request_id uuid not null,
  attempt integer not null,
  channel text not null,
  model text not null,
  reason text not null,
  amount bigint not null check (amount >= 0),
  usage jsonb,
  created_at timestamptz not null default now(),
  primary key (request_id, attempt)
);
create index waste_by_time on waste (created_at);

-- Double entry between the account of a channel's waste, which falls like a wallet that pays, and what we owe upstream. No
-- leg has a wallet or a token. p_key is unique for each move.
create function book_waste_move(p_channel text, p_amount bigint, p_key text, p_note text) returns void language sql as $$
  with tx as materialized (select gen_random_uuid() as id)
  insert into entry (tx_id, account, amount, request_id, kind, note)
  select tx.id, leg.account, leg.amount, p_key, 'waste', p_note
  from tx, (values ('waste:' || p_channel, -p_amount), ('system:upstream', p_amount)) leg(account, amount)
  where p_amount <> 0;
$$;

-- Books wasted attempts that the caller has priced: {request_id, attempt, channel, model, reason, amount, usage}. Once for
-- each attempt, however often it is told. Answers those that are new.
create function book_waste(p_items jsonb) returns table (channel text, reason text, amount bigint) language plpgsql as $$
#variable_conflict use_column
declare
  one waste;
begin
  for one in
    insert into waste (request_id, attempt, channel, model, reason, amount, usage)
    select i.request_id, i.attempt, i.channel, i.model, i.reason, i.amount, i.usage
      from jsonb_populate_recordset(null::waste, p_items) i order by i.request_id, i.attempt
    on conflict do nothing
    returning *
  loop
    perform book_waste_move(one.channel, one.amount, one.request_id || '/' || one.attempt, one.reason);
    return query select one.channel, one.reason, one.amount;
  end loop;
end $$;

-- Books calls that ended with their gateway and of which nothing is known, at what a call of the model was charged in the
-- last days, and never more than was held for it.
create function book_lost_calls(p_ids uuid[]) returns table (channel text, reason text, amount bigint) language sql as $$
  select b.* from book_waste((
    select coalesce(jsonb_agg(jsonb_build_object('request_id', h.id, 'attempt', -1, 'channel', '', 'model', h.model_slug,
      'reason', 'gateway_lost', 'amount', least(h.amount, coalesce(usual.cost, h.amount)))), '[]')
    from hold h left join lateral (
      select (sum(c.cost) / nullif(sum(c.calls - c.errors), 0))::bigint as cost from usage_cell c
      where c.grain = 'day' and c.at >= now() - interval '3 days' and c.model = h.model_slug
      having sum(c.cost) > 0) usual on true
    where h.id = any (p_ids) and h.state = 'expired' and h.charged is null)) b;
$$;

-- Lost calls whose end their gateway has told after all: what they cost us is known from there.
create function take_back_lost_calls(p_ids uuid[]) returns void language plpgsql as $$
declare
  one waste;
begin
  for one in
    delete from waste w where w.request_id = any (p_ids) and w.reason = 'gateway_lost' returning *
  loop
    perform book_waste_move(one.channel, -one.amount, one.request_id || '/' || one.attempt || '/found', 'not lost after all');
  end loop;
end $$;
`;
