import { sha256 } from '@mg/contract';
import type { Payer, StatementRunner } from './seed-payer.js';

/** Nano-dollars. */
const CHARGE = 1_000;

/** A UUID of version 7 for the moment of a row, as its writer would have made it; `n` tells rows of a moment apart. */
const ID_AT = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
  || '8' || lpad(to_hex(n), 15, '0'))::uuid`;

/** $1 moments up to $2, oldest first, ten seconds apart. */
const MOMENTS = `(select n, $2::timestamptz - n * interval '10 seconds' as at
  from generate_series($1::integer, 1, -1) as n) as moments`;

/**
 * Fills the tables that grow with every call: so many calls of a payer, each with its hold and its ledger entries, over
 * twenty models and five channels, every fiftieth failed, every tenth a video task; and as many rows of the audit log. The
 * ledger balances afterwards.
 */
export async function seedManyRows(database: StatementRunner, payer: Payer, rows: number): Promise<void> {
  const { userId, tokenId, walletId, priceVersionId } = payer;
  const moments = [rows, new Date()];
  await database.query(
    `insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount, state, charged, owner_instance,
       owner_epoch, created_at, expires_at)
     select ${ID_AT}, case when n % 10 = 0 then 'video' else 'request' end, $3, $4, 'model-' || n % 20, $5, ${CHARGE},
       'posted', ${CHARGE}, 'seed', '1', at, at from ${MOMENTS}`,
    [...moments, walletId, tokenId, priceVersionId],
  );
  await database.query(
    `insert into request_log (request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, channel,
       status, error_code, stream, latency_ms, ttft_ms, usage, cost, estimated, reason, attempts, price_version_id)
     select ${ID_AT}, at, $3, $4, 'many', $5, 'model-' || n % 20, '/v1/chat/completions', 'channel-' || n % 5,
       case when n % 50 = 0 then 429 else 200 end, case when n % 50 = 0 then 'rate_limited' end, n % 2 = 0, n % 900, n % 90,
       '{"input_tokens": 100, "output_tokens": 10}', ${CHARGE}, false, 'completed', '[]', $6
     from ${MOMENTS}`,
    [...moments, userId, tokenId, walletId, priceVersionId],
  );
  await seedCharges(database, payer, rows, moments);
  await database.query(
    `insert into task (id, public_id, face, user_id, token_id, wallet_id, model_slug, seconds, amount, charged, price_version_id,
       state, channel_name, created_at, submitted_at, finished_at, deadline_at)
     select ${ID_AT}, 'seeded-' || ${ID_AT}, 'generic', $3, $4, $5, 'model-' || n % 20, 5, ${CHARGE}, ${CHARGE}, $6,
       'succeeded', 'channel-' || n % 5, at, at, at, at
     from ${MOMENTS} where n % 10 = 0`,
    [...moments, userId, tokenId, walletId, priceVersionId],
  );
  await database.query(
    `insert into audit_log (id, created_at, actor_id, actor_email, action, target_type, target_id, request_id, address)
     select ${ID_AT}, at, $3, 'a@example.com', 'token.change', 'token', $4 || n, ${ID_AT}, '127.0.0.1' from ${MOMENTS}`,
    [...moments, userId, sha256('target').slice(0, 8)],
  );
  await database.query('analyze request_log, hold, entry, task, audit_log, usage_change');
}

/** Both legs of each charge, in the order of the calls, and the wallet and the token as they are after the last. */
async function seedCharges(
  database: StatementRunner,
  { walletId, tokenId }: Payer,
  rows: number,
  moments: readonly unknown[],
): Promise<void> {
  await database.query(
    `with wallet_before as (select balance from wallet where id = $3::uuid)
     insert into entry (tx_id, account, wallet_id, token_id, task_id, amount, balance_after, request_id, kind)
     select md5('seed' || ${ID_AT})::uuid, leg.account, leg.wallet_id::uuid,
       case when leg.wallet_id is not null then $4::uuid end, case when n % 10 = 0 then ${ID_AT} end, leg.amount,
       case when leg.wallet_id is not null then balance - ($1 - n + 1) * ${CHARGE}::bigint end, (${ID_AT})::text, 'charge'
     from wallet_before, ${MOMENTS}, (values ('wallet:' || $3::text, $3::text, ${-CHARGE}),
       ('system:revenue', null, ${CHARGE})) as leg(account, wallet_id, amount)`,
    [...moments, walletId, tokenId],
  );
  const spend = rows * CHARGE;
  await database.query('update wallet set balance = balance - $1 where id = $2', [spend, walletId]);
  await database.query('update token set used = used + $1 where id = $2', [spend, tokenId]);
}
