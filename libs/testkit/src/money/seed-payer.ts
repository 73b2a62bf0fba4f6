import { newId, type PriceSheet } from '@mg/contract';

/** Whatever runs a parameterised statement: a TypeORM DataSource or a thin cover over a pg client. */
export interface StatementRunner {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

export interface PayerOptions {
  /** Opening balance in nano-dollars. */
  readonly balance: bigint;
  /** Spending quota of the token in nano-dollars; none by default. */
  readonly quota?: bigint;
  readonly price?: PriceSheet;
}

/** Somebody who can pay for calls: a user with a wallet and a token, and a model that has a price. */
export interface Payer {
  readonly userId: string;
  readonly walletId: string;
  readonly tokenId: string;
  readonly model: string;
  readonly priceVersionId: string;
}

/** Writes a payer into a migrated database; every figure of money goes through the money functions. */
export async function seedPayer(database: StatementRunner, options: PayerOptions): Promise<Payer> {
  const [userId, walletId, tokenId, priceVersionId] = [newId(), newId(), newId(), newId()];
  const model = `model-${priceVersionId}`;
  await database.query(
    `insert into app_user (id, email, password_hash, role) values ($1, $2, 'none', 'member')`,
    [userId, `${userId}@example.com`],
  );
  await database.query('select wallet_open($1, $2, $3, $4)', [
    walletId,
    `wallet-${walletId}`,
    userId,
    options.balance.toString(),
  ]);
  await database.query(
    `insert into token (id, name, user_id, wallet_id, key_hash, key_prefix, key_last4, spending_quota)
     values ($1, 'test', $2, $3, $4, 'sk-test', '0000', $5)`,
    [tokenId, userId, walletId, tokenId, options.quota?.toString() ?? null],
  );
  await database.query(`insert into model (slug, kind) values ($1, 'chat')`, [model]);
  await database.query(
    `insert into price_version (id, model_slug, price, source) values ($1, $2, $3, 'test')`,
    [priceVersionId, model, JSON.stringify(options.price ?? { per_request: '0.1' })],
  );
  return { userId, walletId, tokenId, model, priceVersionId };
}
