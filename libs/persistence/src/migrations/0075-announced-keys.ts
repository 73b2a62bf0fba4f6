import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Changes of a key's default model, and of whether its responses are stored, are announced to gateways as all others are. */
export class AnnouncedKeys0075 implements Migration {
  readonly name = 'AnnouncedKeys1763700000075';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create trigger token_answers_announced after update of default_model, store_responses on token
         for each row when ((old.default_model, old.store_responses) is distinct from (new.default_model, new.store_responses))
         execute function announce_token_change()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger token_answers_announced on token');
  }
}
