import { newId, toStorableJson } from '@mg/contract';
import type { DataSource } from 'typeorm';

interface PayerRow {
  readonly token_id: string;
  readonly wallet_id: string;
  readonly user_id: string;
  readonly model: string;
  readonly price_version_id: string;
}

/** Keys of different wallets. One that somebody holds locked is left out: a start does not wait for it. */
const PAYERS = /* sql */ `
  select t.id as token_id, t.wallet_id, t.user_id, p.model_slug as model, p.id as price_version_id
    from wallet w
   cross join lateral (
     select id, wallet_id, user_id from token
      where wallet_id = w.id and deleted_at is null and not disabled limit 1) t
   cross join lateral (select id, model_slug from price_version limit 1) p
   limit $1
     for no key update of w skip locked`;
/** A row that is locked after all, such as a key's, or a wallet's since then. */
const LOCK_TIMEOUT = '500ms';

/**
 * Opens tasks on several connections at once and rolls each back, so that these connections have read and planned by then what
 * opening holds and tasks takes: nothing is held, and nobody sees anything. Where there are no keys nothing is done. What fails is
 * left as it is.
 */
export async function rehearseTasks(database: DataSource, connections: number): Promise<void> {
  const payers = await database.query<PayerRow[]>(PAYERS, [connections]).catch(() => []);
  // Those of one wallet wait for each other.
  const inTurn = Array.from({ length: connections }, (_, index) => payers[index % payers.length] ?? []);
  await Promise.allSettled(inTurn.flat().map((payer) => rehearseTask(database, payer)));
}

async function rehearseTask(database: DataSource, { user_id: userId, ...payer }: PayerRow): Promise<void> {
  const id = newId();
  const hold = {
    ...payer,
    id,
    wanted: '1',
    minimum: '1',
    ttl_seconds: 1,
    owner_instance: 'rehearsal',
    owner_epoch: newId(),
  };
  const task = {
    public_id: id,
    face: 'generic',
    user_id: userId,
    order_text: '{}',
    seconds: 1,
    deadline_seconds: 1,
  };
  const runner = database.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`select set_config('lock_timeout', $1, true)`, [LOCK_TIMEOUT]);
    await runner.query('select * from task_open($1::jsonb, $2::jsonb)', [
      toStorableJson(hold),
      toStorableJson(task),
    ]);
  } finally {
    await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}
