import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const ENDED_LIVES = /* sql */ `
-- Lives of processes that have ended and whose calls may be missing in the log: whoever noticed it may be killed before it
-- has looked.
create table ended_life (
  instance text not null,
  epoch text not null,
  ended_at timestamptz not null default now(),
  primary key (instance, epoch)
);

create function note_ended_life() returns trigger language plpgsql as $$
begin
  insert into ended_life (instance, epoch) values (old.instance, old.epoch)
    on conflict (instance, epoch) do update set ended_at = excluded.ended_at;
  return null;
end $$;
create trigger plane_life_ended after update on plane_instance for each row
  when (old.epoch <> new.epoch or (old.ended_at is null and new.ended_at is not null))
  execute function note_ended_life();

-- Logs the calls that lives were charged for and could not log, once each life has been over for so long that its last rows
-- are posted. Answers the number of calls.
create function explain_ended_lives(p_after interval) returns bigint language plpgsql as $$
declare
  life ended_life;
  calls bigint := 0;
begin
  for life in delete from ended_life l where l.ended_at < now() - p_after returning * loop
    calls := calls + explain_calls_of_life(life.instance, life.epoch);
  end loop;
  return calls;
end $$;
`;

/** The calls of a lost process are in the log also where the billing that noticed its end is lost as well. */
export class EndedLives0020 implements Migration {
  readonly name = 'EndedLives1763700000020';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ENDED_LIVES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function explain_ended_lives(interval);
      drop trigger plane_life_ended on plane_instance;
      drop function note_ended_life();
      drop table ended_life;`);
  }
}
