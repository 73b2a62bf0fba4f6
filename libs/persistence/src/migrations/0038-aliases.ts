import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Other names of models, the model of a key for names that nobody has, and what a call asked for by such a name. */
export class Aliases0038 implements Migration {
  readonly name = 'Aliases1763700000038';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table model add column aliases text[] not null default '{}'`);
    await runner.query('alter table token add column default_model text');
    await runner.query('alter table request_log add column asked_model text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table request_log drop column asked_model');
    await runner.query('alter table token drop column default_model');
    await runner.query('alter table model drop column aliases');
  }
}
