import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/**
 * A channel cannot be deleted while its provider carries out batches: what the provider bills could be charged to nobody. The
 * column fills itself, so that it is right whichever version writes the row.
 */
export class ChannelsOfBatches0071 implements Migration {
  readonly name = 'ChannelsOfBatches1763700000071';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    // The table has a row for each two thousand lines, so writing it anew takes no time.
    await runner.query(
      `alter table upstream_batch add column open_channel_id uuid
         generated always as (case when ended_at is null then channel_id end) stored`,
    );
    // Not validated: batches may be open whose channel is gone already.
    await runner.query(
      `alter table upstream_batch add constraint upstream_batch_of_channel
         foreign key (open_channel_id) references channel (id) not valid`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table upstream_batch drop column open_channel_id');
  }
}
