import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Whether late whole answers of a model are asked for at another channel, too; whether idle channels are probed. */
export class ModelHedging0032 implements Migration {
  readonly name = 'ModelHedging1763700000032';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table model add column hedge boolean not null default false');
    await runner.query(
      'alter table channel add column probe_ms integer constraint channel_probe_ms check (probe_ms >= 60000)',
    );
    await runner.query(
      `create table channel_probe (
         channel_id uuid primary key references channel (id) on delete cascade,
         asked_at timestamptz not null
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table channel_probe');
    await runner.query('alter table channel drop column probe_ms');
    await runner.query('alter table model drop column hedge');
  }
}
