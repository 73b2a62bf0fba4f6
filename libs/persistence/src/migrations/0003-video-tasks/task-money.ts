/** The beginning of a task's money: held with its row, charged once the provider has taken the job. */
export const TASK_MONEY = /* sql */ `
-- Entries of a task name it.
drop function book_wallet_move(uuid, uuid, text, bigint, text, text, text);
create function book_wallet_move(
  p_wallet uuid, p_token uuid, p_contra text, p_amount bigint, p_request_id text, p_kind text, p_note text,
  p_task uuid default null, out entry_id bigint, out balance bigint
) language plpgsql as $$
declare
  tx uuid := gen_random_uuid();
begin
  update wallet w set balance = w.balance + p_amount where w.id = p_wallet returning w.balance into balance;
  insert into entry (tx_id, account, wallet_id, token_id, amount, balance_after, request_id, task_id, kind, note)
    values (tx, 'wallet:' || p_wallet, p_wallet, p_token, p_amount, balance, p_request_id, p_task, p_kind, p_note)
    returning id into entry_id;
  insert into entry (tx_id, account, amount, request_id, task_id, kind, note)
    values (tx, p_contra, -p_amount, p_request_id, p_task, p_kind, p_note);
end $$;

create function is_task_end(p_state text) returns boolean language sql immutable as $$
  select p_state in ('succeeded', 'failed', 'expired', 'cancelled');
$$;

-- Holds a task's cost and writes the task, both or neither. Asked again with the same id, it is the same task, whatever
-- became of its key. The order comes along or is there already.
create function task_open(p_hold jsonb, p_task jsonb) returns hold_answer
language plpgsql set enable_seqscan = off as $$
declare
  q hold_question := jsonb_populate_record(null::hold_question, p_hold);
  answer hold_answer;
  earlier task%rowtype;
begin
  q.place := 0;
  q.kind := 'video';
  q.ttl_seconds := (p_task ->> 'deadline_seconds')::integer;
  perform 1 from wallet w where w.id = q.wallet_id for no key update;
  select t.* into earlier from task t where t.id = q.id;
  if found then
    if (earlier.wallet_id, earlier.token_id) <> (q.wallet_id, q.token_id) then
      return (0, null, 'mismatch', null, null)::hold_answer;
    end if;
    return (0, earlier.amount, null, null, null)::hold_answer;
  end if;
  -- A key may have ended since the gateway admitted its caller; whoever ends it now waits for this lock.
  perform 1 from token t where t.id = q.token_id for no key update;
  if exists (select from token t join app_user u on u.id = t.user_id
      where t.id = q.token_id and (t.disabled or u.disabled or t.deleted_at is not null or t.expires_at <= now())) then
    return (0, null, 'invalid_api_key', null, null)::hold_answer;
  end if;
  select a.* into answer from unnest(hold_open(array[q])) a;
  if answer.granted is null then
    return answer;
  end if;
  insert into task_order (task_id, order_text)
    select q.id, p_task ->> 'order_text' where p_task ->> 'order_text' <> '' on conflict do nothing;
  if not exists (select from task_order o where o.task_id = q.id) then
    raise exception 'task % has no order', q.id;
  end if;
  insert into task (id, public_id, face, user_id, token_id, wallet_id, model_slug, seconds, price_variant,
      callback_url, amount, price_version_id, deadline_at)
    select q.id, n.public_id, n.face, n.user_id, q.token_id, q.wallet_id, q.model, n.seconds, n.price_variant,
      n.callback_url, answer.granted, q.price_version_id, now() + make_interval(secs => n.deadline_seconds)
    from jsonb_to_record(p_task) as n (public_id text, face text, user_id uuid, seconds integer,
      price_variant text, callback_url text, deadline_seconds integer);
  insert into task_event (task_id, state, note) values (q.id, 'created', 'cost held');
  return answer;
end $$;

-- Locks all that a task's money touches, in the one order: wallet, token, hold, task.
create function lock_task(p_id uuid) returns task language plpgsql set enable_seqscan = off as $$
declare
  target task%rowtype;
begin
  select t.* into target from task t where t.id = p_id;
  perform 1 from wallet w where w.id = target.wallet_id for no key update;
  perform 1 from token t where t.id = target.token_id for no key update;
  perform 1 from hold h where h.id = p_id for no key update;
  select t.* into target from task t where t.id = p_id for no key update;
  return target;
end $$;

-- Turns the hold of a task into its charge. The caller holds the locks; done before, it does nothing.
create function post_task_hold(t task) returns void language plpgsql as $$
begin
  update hold h set state = 'posted', charged = t.amount, resolved_at = now(),
      usage = jsonb_strip_nulls(jsonb_build_object('seconds', t.seconds, 'variant', t.price_variant))
    where h.id = t.id and h.state = 'open';
  if found then
    update wallet w set held = w.held - t.amount where w.id = t.wallet_id;
    update token k set held = k.held - t.amount, used = k.used + t.amount where k.id = t.token_id;
    if t.amount <> 0 then
      perform book_wallet_move(t.wallet_id, t.token_id, 'system:revenue', -t.amount, t.id::text, 'charge', '', t.id);
    end if;
  end if;
  update task x set charged = h.charged from hold h where x.id = t.id and h.id = t.id and x.charged is null;
end $$;

-- Charges a task that the provider has taken; one that has ended keeps what its end made of it. Null: no such task.
create function task_charge(p_id uuid) returns bigint language plpgsql set enable_seqscan = off as $$
declare
  target task%rowtype := lock_task(p_id);
begin
  if not is_task_end(target.state) then
    perform post_task_hold(target);
  end if;
  return (select t.charged from task t where t.id = p_id);
end $$;

-- Returns everything a request or a task was charged, once. Answers the amount that is back in the wallet.
create or replace function refund(p_request uuid, p_note text, out refunded bigint, out refused text)
language plpgsql set enable_seqscan = off as $$
declare
  target hold%rowtype;
  task_id uuid;
begin
  select h.* into target from hold h where h.id = p_request;
  if not found then
    refused := 'unknown_hold';
    return;
  end if;
  perform 1 from wallet w where w.id = target.wallet_id for no key update;
  perform 1 from token t where t.id = target.token_id for no key update;
  select h.* into target from hold h where h.id = p_request for no key update;
  select t.id into task_id from task t where t.id = p_request for no key update;
  if target.state = 'open' then
    refused := 'still_open';
    return;
  end if;
  select e.amount into refunded
    from entry e where e.request_id = p_request::text and e.kind = 'refund' and e.wallet_id = target.wallet_id;
  if found then
    return;
  end if;
  refunded := coalesce(target.charged, 0);
  if refunded <> 0 then
    update token t set used = t.used - refunded where t.id = target.token_id;
    update task t set charged = 0 where t.id = task_id;
    perform book_wallet_move(target.wallet_id, target.token_id, 'system:revenue', refunded, p_request::text, 'refund', p_note,
      task_id);
  end if;
end $$;
`;
