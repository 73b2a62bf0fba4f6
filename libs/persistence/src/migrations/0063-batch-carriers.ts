import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Whether lines of batches that go to a channel are sent as batches of its provider. */
export class BatchCarriers0063 implements Migration {
  readonly name = 'BatchCarriers1763700000063';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table channel add column batches text not null default 'gateway'
        constraint channel_batches check (batches in ('gateway', 'native'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table channel drop column batches');
  }
}
