import type { Budgets, Limits } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { createdAtColumn, moneyColumn, readOnlyMoneyColumn } from './column-types.js';
import type { UserRow } from './user.js';
import type { WalletRow } from './wallet.js';

export const TOKEN_DISABLERS = ['user', 'owner', 'administrator'] as const;
/** As what somebody disabled a key: its user, an owner of its wallet or project, an administrator. */
export type TokenDisabler = (typeof TOKEN_DISABLERS)[number];

/** An API key's row. The key itself is nowhere: only its hash, and enough of its ends to recognise it. */
export interface TokenRow {
  id: string;
  name: string;
  userId: string;
  walletId: string;
  keyHash: string;
  keyPrefix: string;
  keyLast4: string;
  /** Hash of the key before the last rotation, which is good until then; `null`: there is none. */
  formerKeyHash: string | null;
  formerKeyUntil: Date | null;
  /** `null`: every active model. */
  allowedModels: string[] | null;
  /** Addresses and networks that its calls may come from; `null`: any. */
  allowedIps: string[] | null;
  /** Nano-dollars; `null`: no limit. */
  spendingQuota: bigint | null;
  used: bigint;
  held: bigint;
  expiresAt: Date | null;
  disabled: boolean;
  /** Of a key that is disabled; `null`: not known, or it lost its rights. */
  disabledBy: TokenDisabler | null;
  limits: Limits;
  budgets: Budgets;
  /** How old a repeated answer may be; `null`: none is repeated. */
  cacheMs: number | null;
  /** How long bodies of its calls are kept, in seconds; `null`: not at all. */
  captureSeconds: number | null;
  /** From then on none are kept any more; `null`: for as long as the configuration file says so. */
  captureUntil: Date | null;
  /** Slug of the model for names that no model has. */
  defaultModel: string | null;
  /** Whether the Responses API remembers its calls. */
  storeResponses: boolean;
  /** Whether the configuration file names it. */
  declared: boolean;
  deletedAt: Date | null;
  createdAt: Date;
  /** Who made it and the wallet it pays from, where the query joins them. */
  user?: UserRow;
  wallet?: WalletRow;
}

export const TokenEntity = new EntitySchema<TokenRow>({
  name: 'token',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    userId: { name: 'user_id', type: 'uuid' },
    walletId: { name: 'wallet_id', type: 'uuid' },
    keyHash: { name: 'key_hash', type: 'text' },
    keyPrefix: { name: 'key_prefix', type: 'text' },
    keyLast4: { name: 'key_last4', type: 'text' },
    formerKeyHash: { name: 'former_key_hash', type: 'text', nullable: true },
    formerKeyUntil: { name: 'former_key_until', type: 'timestamptz', nullable: true },
    allowedModels: { name: 'allowed_models', type: 'text', array: true, nullable: true },
    allowedIps: { name: 'allowed_ips', type: 'text', array: true, nullable: true },
    spendingQuota: moneyColumn('spending_quota', true),
    used: readOnlyMoneyColumn('used'),
    held: readOnlyMoneyColumn('held'),
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
    disabled: { type: 'boolean' },
    disabledBy: { name: 'disabled_by', type: 'text', nullable: true },
    limits: { type: 'jsonb' },
    budgets: { type: 'jsonb' },
    cacheMs: { name: 'cache_ms', type: 'integer', nullable: true },
    captureSeconds: { name: 'capture_seconds', type: 'integer', nullable: true },
    captureUntil: { name: 'capture_until', type: 'timestamptz', nullable: true },
    defaultModel: { name: 'default_model', type: 'text', nullable: true },
    storeResponses: { name: 'store_responses', type: 'boolean' },
    declared: { type: 'boolean' },
    deletedAt: { name: 'deleted_at', type: 'timestamptz', nullable: true },
    createdAt: createdAtColumn(),
  },
  relations: {
    user: { type: 'many-to-one', target: 'app_user', joinColumn: { name: 'user_id' }, nullable: false },
    wallet: { type: 'many-to-one', target: 'wallet', joinColumn: { name: 'wallet_id' }, nullable: false },
  },
});
