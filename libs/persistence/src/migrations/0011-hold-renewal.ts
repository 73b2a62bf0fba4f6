import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const HOLD_RENEW = /* sql */ `
-- Lets the open holds of calls of one life of a process stand for so long from now, but not beyond a day after they were
-- opened, and never shorter than before. Answers those that stand for it. It waits for no lock: a hold that somebody settles
-- just now is left out, and asked for again if its call goes on.
create function hold_renew(p_ids uuid[], p_instance text, p_epoch text, p_for interval)
returns setof uuid language sql as $$
  with own as (
    select h.id from hold h
    where h.id = any (p_ids) and h.state = 'open' and h.kind = 'request'
      and h.owner_instance = p_instance and h.owner_epoch = p_epoch
    order by h.id for no key update skip locked)
  update hold h
    set expires_at = greatest(h.expires_at, least(now() + p_for, h.created_at + interval '1 day'))
    from own where h.id = own.id and h.state = 'open'
    returning h.id;
$$;
`;

/** A hold outlives its call, however long that lasts: the gateway renews it while the call is under way. */
export class HoldRenewal0011 implements Migration {
  readonly name = 'HoldRenewal1763700000011';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(HOLD_RENEW);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function hold_renew(uuid[], text, text, interval)');
  }
}
