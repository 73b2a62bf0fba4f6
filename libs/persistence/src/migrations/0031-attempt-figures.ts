import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** How attempts at upstreams went, in spans of ten minutes; written by gateways, and deleted after a day. */
const TABLE = /* sql */ `
create unlogged table attempt_figures (
  channel_id uuid not null,
  model text not null,
  -- The hint of the key; empty where a channel has none.
  key text not null,
  starts_at timestamptz not null,
  served bigint not null,
  failed bigint not null,
  -- Histograms of milliseconds: until a whole answer, and until the first event of a stream.
  whole_ms bigint[] not null,
  first_ms bigint[] not null,
  failed_at timestamptz,
  failed_status integer,
  failed_reason text,
  primary key (starts_at, channel_id, model, key)
);
`;

/** Figures of attempts per channel, model and key. */
export class AttemptFigures0031 implements Migration {
  readonly name = 'AttemptFigures1763700000031';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table attempt_figures');
  }
}
