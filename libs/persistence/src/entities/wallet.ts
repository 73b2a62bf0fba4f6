import type { Budgets, Limits } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { createdAtColumn, moneyColumn, readOnlyMoneyColumn } from './column-types.js';
import type { UserRow } from './user.js';

/** A wallet as it is configured and read; billing alone writes its money. Amounts in nano-dollars. */
export interface WalletRow {
  id: string;
  name: string;
  /** Wallets without a user belong to the operator. */
  userId: string | null;
  balance: bigint;
  held: bigint;
  /** How far the wallet may go below zero. */
  creditLimit: bigint;
  limits: Limits;
  budgets: Budgets;
  /** With less than this left operators are alerted; `null` for what the alert rule says. */
  alertBelow: bigint | null;
  createdAt: Date;
  /** Its owner, where the query joins it. */
  user?: UserRow | null;
}

export const WalletEntity = new EntitySchema<WalletRow>({
  name: 'wallet',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    userId: { name: 'user_id', type: 'uuid', nullable: true },
    balance: readOnlyMoneyColumn('balance'),
    held: readOnlyMoneyColumn('held'),
    creditLimit: readOnlyMoneyColumn('credit_limit'),
    limits: { type: 'jsonb' },
    budgets: { type: 'jsonb' },
    alertBelow: moneyColumn('alert_below', true),
    createdAt: createdAtColumn(),
  },
  relations: {
    user: { type: 'many-to-one', target: 'app_user', joinColumn: { name: 'user_id' }, nullable: true },
  },
});
