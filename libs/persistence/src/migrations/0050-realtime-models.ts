import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const KINDS = ['chat', 'embedding', 'image', 'transcription', 'video', 'speech', 'moderation', 'rerank'];

/** A kind of its own for models that are spoken with over a WebSocket: they have prices for text and for audio. */
export class RealtimeModels0050 implements Migration {
  readonly name = 'RealtimeModels1763700000050';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await allowKinds(runner, [...KINDS, 'realtime']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await allowKinds(runner, KINDS);
  }
}

async function allowKinds(runner: QueryRunner, kinds: readonly string[]): Promise<void> {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  await runner.query('alter table model drop constraint model_kind_check');
  await runner.query(`alter table model add constraint model_kind_check check (kind in (${list})) not valid`);
  await runner.query('alter table model validate constraint model_kind_check');
}
