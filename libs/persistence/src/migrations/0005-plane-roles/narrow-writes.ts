/**
 * What a plane may do to a row of which it may not do everything: functions that run with their owner's rights. Their
 * search path is set with the grants, since it names the schema that they live in.
 */
export const NARROW_WRITES = /* sql */ `
-- Removes an ended task from its owner's sight; answers whether there was one.
create function task_hide(p_user uuid, p_public_id text) returns boolean language plpgsql security definer as $$
begin
  update task t set hidden_at = now()
    where t.public_id = p_public_id and t.user_id = p_user and t.hidden_at is null and is_task_end(t.state);
  return found;
end $$;

-- Forgets an order whose task was never written.
create function task_order_drop(p_id uuid) returns void language sql security definer as $$
  delete from task_order o where o.task_id = p_id and not exists (select from task t where t.id = p_id);
$$;

-- A worker's step may end the need for an order, which the worker itself may not delete.
alter function drop_order() security definer;
`;
