import type { CallerToken } from '@mg/contract';
import type { DataSource } from 'typeorm';

interface TokenRow {
  id: string;
  name: string;
  wallet_id: string;
  user_id: string;
  allowed_models: string[] | null;
  expires_at: Date | null;
  disabled: boolean;
}

/**
 * Finds the living token of a key's SHA-256, or `undefined`. Its calls belong to the owner of its wallet, or to the token's
 * own user where the wallet is the operator's. A disabled user disables their tokens, and those of their wallets.
 */
export async function findCallerToken(
  database: DataSource,
  keyHash: string,
): Promise<CallerToken | undefined> {
  const [row] = await database.query<TokenRow[]>(
    `select t.id, t.name, t.wallet_id, coalesce(w.user_id, t.user_id) as user_id, t.allowed_models, t.expires_at,
            t.disabled or u.disabled or coalesce(o.disabled, false) as disabled
       from token t join app_user u on u.id = t.user_id
       join wallet w on w.id = t.wallet_id left join app_user o on o.id = w.user_id
      where t.key_hash = $1 and t.deleted_at is null`,
    [keyHash],
  );
  if (!row) return undefined;
  const allowed = row.allowed_models;
  return {
    id: row.id,
    name: row.name,
    walletId: row.wallet_id,
    userId: row.user_id,
    allowedModels: allowed === null || allowed.length === 0 ? undefined : new Set(allowed),
    expiresAt: row.expires_at?.getTime(),
    disabled: row.disabled,
  };
}
