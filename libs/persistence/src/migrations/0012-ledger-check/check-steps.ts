/** How the sums of the check are brought forward. Only entries that no transaction can precede any more are added. */
export const CHECK_STEPS = /* sql */ `
-- Notes up to which entry the ledger is complete. Ids are given before a transaction ends, so an earlier one may appear
-- after a later one; whoever has been given an id has a transaction id by then.
create function note_settled_entries() returns void language plpgsql as $$
declare
  last_id bigint;
  running pg_snapshot;
begin
  select coalesce(max(e.id), 0), pg_current_snapshot() into last_id, running from entry e;
  -- A restored database may count its transactions from the start again.
  update ledger_check c set seen_xid = null where c.seen_xid > pg_snapshot_xmax(running);
  update ledger_check c set settled_entry_id = c.seen_entry_id, seen_xid = null
    where c.seen_xid <= pg_snapshot_xmin(running);
  if pg_snapshot_xmin(running) = pg_snapshot_xmax(running) then
    update ledger_check c set settled_entry_id = last_id, seen_xid = null;
  else
    update ledger_check c set seen_entry_id = last_id, seen_xid = pg_snapshot_xmax(running) where c.seen_xid is null;
  end if;
end $$;

-- Adds the entries after one and up to another to the sums of a round; answers the latter.
create function add_to_ledger_sum(p_round bigint, p_after bigint, p_to bigint) returns bigint language plpgsql
set plan_cache_mode = force_custom_plan as $$
begin
  insert into ledger_sum as s (round, wallet_id, token_id, total)
    select p_round, e.wallet_id, e.token_id, sum(e.amount) from entry e where e.id > p_after and e.id <= p_to group by 2, 3
  on conflict (round, wallet_id, token_id) do update set total = s.total + excluded.total;
  return p_to;
end $$;

-- Looks at the tasks after one, in the order of ids, and notes which of them are wrong; answers the last, or null after
-- the last of all.
create function note_suspect_tasks(p_after uuid, p_tasks integer) returns uuid language plpgsql
set plan_cache_mode = force_custom_plan as $$
declare
  ids uuid[] := array(select t.id from task t where t.id > p_after order by t.id limit p_tasks);
begin
  delete from suspect_task s where s.task_id = any (ids);
  insert into suspect_task (task_id) select distinct d.id::uuid from task_drift_of(ids) d on conflict do nothing;
  return case when cardinality(ids) = p_tasks then ids[p_tasks] end;
end $$;

-- One step of the check: keeps the sums close to the end of the ledger, and reads the next slice of a round, of which one
-- begins so long after the last has finished. Answers whether there is more to do at once. One at a time.
create function ledger_check_step(p_entries integer, p_tasks integer, p_round_every interval) returns boolean
language plpgsql as $$
declare
  c ledger_check%rowtype;
  goal bigint;
begin
  if not pg_try_advisory_xact_lock(7204005) then
    return false;
  end if;
  perform note_settled_entries();
  select l.* into c from ledger_check l;
  if c.settled_entry_id is null then
    return false;
  end if;
  if c.next_round is null and (c.round_finished_at is null or c.round_finished_at <= now() - p_round_every) then
    c.next_round := coalesce(c.round, 0) + 1;
    c.next_entry_id := 0;
    c.next_task_id := '00000000-0000-0000-0000-000000000000';
  end if;
  if c.entry_id < c.settled_entry_id and c.round is not null then
    c.entry_id := add_to_ledger_sum(c.round, c.entry_id, least(c.entry_id + p_entries, c.settled_entry_id));
  end if;
  if c.next_round is not null then
    goal := case when c.round is null then c.settled_entry_id else c.entry_id end;
    if c.next_entry_id < goal then
      c.next_entry_id := add_to_ledger_sum(c.next_round, c.next_entry_id, least(c.next_entry_id + p_entries, goal));
    end if;
    if c.next_task_id is not null then
      c.next_task_id := note_suspect_tasks(c.next_task_id, p_tasks);
    end if;
    if c.next_entry_id >= goal and c.next_task_id is null then
      delete from ledger_sum s where s.round <> c.next_round;
      c.round := c.next_round;
      c.entry_id := c.next_entry_id;
      c.round_finished_at := now();
      c.next_round := null;
    end if;
  end if;
  update ledger_check l set round = c.round, entry_id = c.entry_id, round_finished_at = c.round_finished_at,
    next_round = c.next_round, next_entry_id = c.next_entry_id, next_task_id = c.next_task_id;
  return c.next_round is not null or c.entry_id < c.settled_entry_id;
end $$;
`;
