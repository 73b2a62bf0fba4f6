import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Calls that keys of others made on a user's wallet, which from now on are the owner's to see. Found by token, of which there are few. */
const CALLS_OF_OWNERS = /* sql */ `
update request_log l set user_id = w.user_id
  from token t join wallet w on w.id = t.wallet_id
  where w.user_id <> t.user_id and l.token_id = t.id and l.wallet_id = w.id and l.user_id = t.user_id;

update usage_cell u set user_id = w.user_id
  from token t join wallet w on w.id = t.wallet_id
  where w.user_id <> t.user_id and u.token_id = t.id and u.user_id = t.user_id;
`;

const FUNCTIONS = /* sql */ `
-- Removes an ended task from its wallet's list; answers whether there was one.
create function task_hide_in_wallet(p_wallet uuid, p_public_id text) returns boolean language plpgsql security definer as $$
begin
  update task t set hidden_at = now()
    where t.public_id = p_public_id and t.wallet_id = p_wallet and t.hidden_at is null and is_task_end(t.state);
  return found;
end $$;

-- Gives a wallet to a user, and has gateways ask again about its keys; answers whether it was another's before.
create function wallet_assign(p_wallet uuid, p_user uuid) returns boolean language plpgsql security definer as $$
begin
  update wallet w set user_id = p_user where w.id = p_wallet and w.user_id is distinct from p_user;
  if not found then
    return false;
  end if;
  with chosen as (
    select t.id from token t where t.wallet_id = p_wallet and t.deleted_at is null order by t.id for no key update
  )
  update token t set disabled = t.disabled from chosen c where t.id = c.id;
  return true;
end $$;
`;

/** Last, as it holds every call up until the transaction ends. */
const DECLARED_TOKENS = /* sql */ `
alter table token add column declared boolean not null default false;
`;

/** What belongs to a caller belongs to the wallet of the key: tasks are found by it, and its owner sees its calls. */
export class WalletTenants0008 implements Migration {
  readonly name = 'WalletTenants1763700000008';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CALLS_OF_OWNERS, FUNCTIONS, DECLARED_TOKENS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table token drop column declared');
    await runner.query('drop function wallet_assign(uuid, uuid)');
    await runner.query('drop function task_hide_in_wallet(uuid, text)');
  }
}
